import { DamagedError, DuplicateError, NewerSchemaError, UnavailableError } from '../../../lib/errors';
import type { FlatError } from './protocol';

const CLASSES = [DuplicateError, NewerSchemaError, UnavailableError, DamagedError] as const;

/** A store error as plain data that can be sent between threads. */
export function flatten(error: unknown): FlatError {
  const { name = 'Error', message = String(error) } = (error ?? {}) as Partial<Error>;
  return { name, message };
}

/** Restores the error, with the class that callers check for. */
export function unflatten({ name, message }: FlatError): Error {
  for (const Class of CLASSES) if (Class.name === name) return new Class(message);
  const error = new Error(message);
  error.name = name;
  return error;
}
