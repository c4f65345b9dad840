import { Backoff } from '../lib/backoff';
import { UnavailableError } from '../lib/errors';
import { sleep } from '../lib/sleep';

/** Waits between two tries, ms of real time. */
const WAITS = { first: 50, longest: 2_000 };

/**
 * Writes until the store takes it. For what must not be forgotten while this process lives, such as the sending server's
 * 250; a full disk is waited for. Any other error is thrown.
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
