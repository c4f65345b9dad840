import { randomBytes } from 'node:crypto';
import { UnavailableError } from '../../lib/errors';
import { OperationError, why } from '.';

/** The reference of what is given none. */
export const newReference = (): string => randomBytes(12).toString('hex');

/**
 * Awaits what happens once under its reference. If its outcome cannot be known (UnavailableError), throws an
 * OperationError that says how to repeat it without doing it twice.
 */
export async function repeatable<T>(reference: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    throw new OperationError(
      why('repeat', { error: error.message }),
      `Run it again with --reference ${JSON.stringify(reference)}: it happens once.`,
    );
  }
}
