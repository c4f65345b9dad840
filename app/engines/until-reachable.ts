import { Backoff } from '../../lib/backoff';
import { BusyError, UnavailableError } from '../../lib/errors';
import { sleep } from '../../lib/sleep';
import { StartError } from '../../lib/start-error';

export interface ReachOptions {
  /** The server, its address and the setting: `MongoDB at m.example (MONGODB_URL)`. */
  server: string;
  /** Aborting stops the wait and rejects with StartError. Null: no waiting at all. */
  signal: AbortSignal | null;
  /** Called with the reason for the wait, and with null once the server is reached. */
  onWait: (reason: string | null) => void;
  /** Real time before the second try, ms; later waits grow. */
  firstWait?: number;
}

const FIRST_WAIT = 1_000;
const LONGEST_WAIT = 30_000;

/** Runs the work, and repeats it after growing waits while it throws UnavailableError. Other errors are passed on. */
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
      const fault = faultOf(server, error);
      if (!signal) throw new StartError(`${fault}.`, { cause: error });
      onWait(`${fault}; trying again in ${wait / 1_000} s.`);
    }
    await sleep(wait, signal);
    if (signal.aborted) throw new StartError(`Stopped while waiting for ${server}.`);
  }
}

/** What is wrong and what to look at, without the full stop. */
function faultOf(server: string, error: UnavailableError): string {
  const why = (error.message.split('\n', 1)[0] ?? '').replace(/[.:]?$/, '');
  if (error instanceof BusyError) return `${server} is busy: ${why}`;
  return `${server} cannot be reached: ${why}. Check that it is running and reachable from this machine`;
}
