import { UnavailableError } from '../lib/errors';

const FIRST_WAIT = 50;
const LONGEST_WAIT = 2_000;

/**
 * Writes until the store takes it. For what must not be forgotten while this process lives, such as the sending server's
 * 250; a full disk is waited for. Any other error is thrown.
 */
export async function retryUntilStored<T>(
  write: () => Promise<T>,
  onWait: (error: UnavailableError) => void,
): Promise<T> {
  for (let wait = FIRST_WAIT; ; wait = Math.min(wait * 2, LONGEST_WAIT)) {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error;
      onWait(error);
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}
