/** A unique value is taken. */
export class DuplicateError extends Error {
  override readonly name = 'DuplicateError';
}

/** The store cannot be written just now (disk full, read-only, no primary); trying again later may work. */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError';
}

/** The data was written by a newer program; nothing is touched. */
export class NewerSchemaError extends Error {
  override readonly name = 'NewerSchemaError';
}

/** What is there under our names is not what this program needs (another kind of collection, another index, another topic). */
export class DifferingSchemaError extends Error {
  override readonly name = 'DifferingSchemaError';
}
