import { UnavailableError } from '../../lib/errors';
import { CommandError } from './errors';

/**
 * Awaits a booking that happens once under its reference. If its outcome cannot be known (UnavailableError), throws a
 * CommandError that says how to repeat it without booking twice.
 */
export async function repeatable<T>(reference: string, booking: Promise<T>): Promise<T> {
  try {
    return await booking;
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    throw new CommandError(
      `The booking may or may not have happened: ${error.message}`,
      `Run it again with --reference ${JSON.stringify(reference)}: it is booked once.`,
    );
  }
}
