import { Backoff } from '../lib/backoff';
import { UnavailableError } from '../lib/errors';
import { sleep } from '../lib/sleep';

/** Waits between two tries, ms of real time. */
const WAITS = { first: 50, longest: 2_000 };

/**
 * Repeats a write until the store accepts it. For facts that must not be lost while this process lives, such as the 250
 * reply of the sending server; it also waits out a full disk. Any other error is thrown.
 */
export async function retryUntilStored<T>(
  write: () => Promise<T>,
  onWait: (error: UnavailableError) => void,
): Promise<T> {
  let backoff: Backoff | undefined;
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error;
      onWait(error);
      backoff ??= new Backoff(WAITS);
      await sleep(backoff.next());
    }
  }
}
