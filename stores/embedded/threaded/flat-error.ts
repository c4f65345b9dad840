import { DuplicateError, NewerSchemaError, UnavailableError } from '../../../lib/errors';
import type { FlatError } from './protocol';

const CLASSES = [DuplicateError, NewerSchemaError, UnavailableError] as const;

/** An error of a store as data that can pass between threads. */
export function flatten(error: unknown): FlatError {
  const { name = 'Error', message = String(error) } = (error ?? {}) as Partial<Error>;
  return { name, message };
}

/** The error again, of the class that callers tell apart. */
export function unflatten({ name, message }: FlatError): Error {
  for (const Class of CLASSES) if (Class.name === name) return new Class(message);
  const error = new Error(message);
  error.name = name;
  return error;
}
