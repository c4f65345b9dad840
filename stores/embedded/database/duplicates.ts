import { DuplicateError } from '../../../lib/errors';
import { isConstraint } from './database';

/** Runs an insert. A violated unique key throws DuplicateError with the given message. */
export function orDuplicate<T>(message: string, insert: () => T): T {
  try {
    return insert();
  } catch (error) {
    if (isConstraint(error)) throw new DuplicateError(message, { cause: error });
    throw error;
  }
}
