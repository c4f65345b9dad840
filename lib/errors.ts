/** A unique value is already in use. */
export class DuplicateError extends Error {
  override readonly name = 'DuplicateError';
}

/** The store cannot be written at the moment (disk full, read-only, no primary); a retry may work. */
export class UnavailableError extends Error {
  override readonly name: string = 'UnavailableError';
}

/** The store answers, but had no connection free in time: it or this machine is busy. A retry may work. */
export class BusyError extends UnavailableError {}

/** A newer version of the program wrote the data; nothing is touched. */
export class NewerSchemaError extends Error {
  override readonly name = 'NewerSchemaError';
}

/** The data waits for a migration, which only a start of the service does; nothing is touched. */
export class OlderSchemaError extends Error {
  override readonly name = 'OlderSchemaError';

  constructor(found: number, needed: number) {
    super(
      `The data has schema version ${found}, this program needs ${needed}: start the service of this release once, after the older one was stopped. kurir upgrade check says whether it can.`,
    );
  }
}

/** An existing collection, index or topic with our name does not match what this program needs. */
export class DifferingSchemaError extends Error {
  override readonly name = 'DifferingSchemaError';
}
