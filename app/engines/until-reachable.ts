import { Backoff } from '../../lib/backoff';
import { UnavailableError } from '../../lib/errors';
import { sleep } from '../../lib/sleep';
import { StartError } from '../start-error';

export interface ReachOptions {
  /** What is to be reached, where, and what says so: `MongoDB at m.example (MONGODB_URL)`. */
  server: string;
  /** Ends the waiting: then it rejects with StartError. Null: there is no waiting at all. */
  signal: AbortSignal | null;
  /** Told why it waits, and (null) that it was reached. */
  onWait: (reason: string | null) => void;
  /** Real time before the second try, ms; grows from there. */
  firstWait?: number;
}

const FIRST_WAIT = 1_000;
const LONGEST_WAIT = 30_000;

/** Does the work, again after growing waits for as long as it says "not now" (UnavailableError); other errors are thrown. */
export async function untilReachable<T>(options: ReachOptions, work: () => Promise<T>): Promise<T> {
  const { server, signal, onWait } = options;
  const backoff = new Backoff({ first: options.firstWait ?? FIRST_WAIT, longest: LONGEST_WAIT });
  for (;;) {
    const wait = backoff.next();
    try {
      const done = await work();
      onWait(null);
      return done;
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error;
      const why = (error.message.split('\n', 1)[0] ?? '').replace(/[.:]?$/, '.');
      const fault = `${server} cannot be reached: ${why} Check that it runs and that this machine may connect`;
      if (!signal) throw new StartError(`${fault}.`, { cause: error });
      onWait(`${fault}; trying again in ${wait / 1_000} s.`);
    }
    await sleep(wait, signal);
    if (signal.aborted) throw new StartError(`Stopped while waiting for ${server}.`);
  }
}
