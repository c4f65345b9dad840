/** Schema versions count from this release on. */
export const FIRST_RELEASE = '0.1.0';

/** A unique value is already in use. */
export class DuplicateError extends Error {
  override readonly name = 'DuplicateError';
}

/** The store cannot be written at the moment (disk full, read-only, no primary); a retry may work. */
export class UnavailableError extends Error {
  override readonly name: string = 'UnavailableError';
}

/** Other writes of the same data were first, each time. The store itself works. */
export class OvertakenError extends UnavailableError {
  override readonly name = 'OvertakenError';
}

/** A file of the data is damaged: what it holds is as unavailable as on a failing disk, until people mend it. */
export class DamagedError extends UnavailableError {
  override readonly name = 'DamagedError';
}

/** The store answers, but had no connection free in time: it or this machine is busy. A retry may work. */
export class BusyError extends UnavailableError {}

/** The data is not of the schema that this program works on; nothing is touched. */
export class SchemaError extends Error {
  override readonly name: string = 'SchemaError';
}

/** A newer release wrote the data. */
export class NewerSchemaError extends SchemaError {
  override readonly name = 'NewerSchemaError';
}

/** The data waits for a schema step, which only a start of the service makes. */
export class OlderSchemaError extends SchemaError {
  override readonly name = 'OlderSchemaError';

  constructor(found: number, needed: number) {
    super(
      `The data has schema version ${found}, but this release needs ${needed}: stop the older service, then start this release once. kurir upgrade check shows whether that is possible.`,
    );
  }
}

/** A version before the first release made the data. No release reads it. */
export class UnreleasedSchemaError extends SchemaError {
  override readonly name = 'UnreleasedSchemaError';

  /** `what` begins the sentence; `instead` ends it: what to do. */
  constructor(what: string, instead: string) {
    super(`${what} was made by a version before ${FIRST_RELEASE}, which was never released: ${instead}.`);
  }
}

/** An existing collection, index or topic with our name does not match what this program needs. */
export class DifferingSchemaError extends SchemaError {
  override readonly name = 'DifferingSchemaError';
}
