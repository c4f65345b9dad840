import { maskAddresses } from '../../domain/addresses/mask-addresses';
import { SECOND } from '../../lib/clock';

/** Work that fails for this long without one success makes a process not ready. Elections and short outages pass. */
const FAILING_FOR = 10 * SECOND;
/** Work that was not tried again for this long is over, whatever came of it. Every retry comes sooner. */
const OVER_AFTER = 15 * SECOND;
/** Of the error that `/readyz` shows. */
const MOST_TEXT = 200;

interface Failure {
  since: number;
  last: number;
  reason: string;
}

/**
 * Notes which kinds of work fail all the time, from their real results: a server may answer every check while claims
 * fail.
 */
export class FailingWork {
  private readonly failures = new Map<string, Failure>();

  /** `now`: real time, ms. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  worked(what: string): void {
    if (this.failures.size > 0) this.failures.delete(what);
  }

  failed(what: string, error: unknown): void {
    const now = this.now();
    const known = this.failures.get(what);
    const since = known && now - known.last <= OVER_AFTER ? known.since : now;
    const text = error instanceof Error ? error.message : String(error);
    const reason = maskAddresses((text.split('\n', 1)[0] ?? '').slice(0, MOST_TEXT));
    this.failures.set(what, { since, last: now, reason });
  }

  /** What has failed for ten seconds, as sentences for `/readyz`; null when nothing has. */
  look(): string | null {
    const now = this.now();
    const failing: string[] = [];
    for (const [what, { since, last, reason }] of this.failures) {
      if (now - last > OVER_AFTER) this.failures.delete(what);
      else if (now - since >= FAILING_FOR) {
        failing.push(`${what} has failed for ${Math.floor((now - since) / SECOND)} s: ${reason}`);
      }
    }
    return failing.length === 0 ? null : failing.join('; ');
  }
}
