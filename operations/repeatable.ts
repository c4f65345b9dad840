import { UnavailableError } from '../lib/errors';
import { OperationError } from './spec';

/**
 * Awaits a booking that happens once under its reference. If its outcome cannot be known (UnavailableError), throws a
 * OperationError that says how to repeat it without booking twice.
 */
export async function repeatable<T>(reference: string, booking: Promise<T>): Promise<T> {
  try {
    return await booking;
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    throw new OperationError(
      `The booking may or may not have happened: ${error.message}`,
      `Run it again with --reference ${JSON.stringify(reference)}: it is booked once.`,
    );
  }
}
