import { maskAddresses } from '../../domain/addresses/mask-addresses';
import { SECOND } from '../../lib/clock';
import type { WorkReport } from '../../lib/work-report';

/**
 * Work that fails for this long after its first retry, without one success, makes a process not ready. Elections and
 * short outages pass.
 */
const FAILING_FOR = 10 * SECOND;
/** Work that was not tried again this long after its retry was due is over, whatever came of it. */
const OVER_AFTER = 15 * SECOND;
/** Of the error that `/readyz` shows. */
const MAX_TEXT = 200;

interface Failure {
  since: number;
  shownFrom: number;
  overAt: number;
  reason: string;
}

/**
 * Notes which kinds of work fail all the time, from their real results: a server may answer every check while claims
 * fail.
 */
export class FailingWork implements WorkReport {
  private readonly failures = new Map<string, Failure>();
  private readonly errors = new WeakSet<Error>();

  /** `now`: real time, ms. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  worked(what: string): void {
    if (this.failures.size > 0) this.failures.delete(what);
  }

  failed(what: string, error: unknown, retryAfter = 0): void {
    const now = this.now();
    const known = this.failures.get(what);
    const since = known && now <= known.overAt ? known.since : now;
    const text = error instanceof Error ? error.message : String(error);
    const reason = maskAddresses((text.split('\n', 1)[0] ?? '').slice(0, MAX_TEXT));
    const times = { since, shownFrom: since + retryAfter + FAILING_FOR, overAt: now + retryAfter + OVER_AFTER };
    this.failures.set(what, { ...times, reason });
    if (error instanceof Error) this.errors.add(error);
  }

  /** True for an error that was noted here. */
  knows(error: unknown): boolean {
    return error instanceof Error && this.errors.has(error);
  }

  /** What has failed for ten seconds, as sentences for `/readyz`; null when nothing has. */
  fault(): string | null {
    const now = this.now();
    const failing: string[] = [];
    for (const [what, { since, shownFrom, overAt, reason }] of this.failures) {
      if (now > overAt) this.failures.delete(what);
      else if (now >= shownFrom) {
        failing.push(`${what} has failed for ${Math.floor((now - since) / SECOND)} s: ${reason}`);
      }
    }
    return failing.length === 0 ? null : failing.join('; ');
  }
}
