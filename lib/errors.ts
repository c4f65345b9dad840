/** A unique value is already in use. */
export class DuplicateError extends Error {
  override readonly name = 'DuplicateError';
}

/** The store cannot be written at the moment (disk full, read-only, no primary); a retry may work. */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError';
}

/** A newer version of the program wrote the data; nothing is touched. */
export class NewerSchemaError extends Error {
  override readonly name = 'NewerSchemaError';
}

/** An existing collection, index or topic with our name does not match what this program needs. */
export class DifferingSchemaError extends Error {
  override readonly name = 'DifferingSchemaError';
}
