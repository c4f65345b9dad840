import { MINUTE } from '../../lib/clock';
import { highestPerMinute, RATE_WINDOW, rateBetween, type OwnRate } from '../queue/send-rate';
import { dayOf } from './check-days';
import { NO_DIFFERENCE, showTime, type Difference } from './difference';

/** Claims to remember beyond those of a minute: owners with differing clocks may book some too early. */
const TOO_EARLY = 300;
/** For so long around its change a rate and the one before are both allowed: clocks differ, and claims take time. */
const CHANGING = MINUTE;

interface Claim {
  at: number;
  /** Allowed claims in 60 s when this one was made. */
  limit: number;
}

/**
 * Checks the claims of one account in booking order against the rate it had at that time (I8): the limit in the 60 s
 * that end with the claim, and that of its WIB day. A run of claims beyond a rate is one difference, at its
 * first claim.
 */
export class SendRateCheck {
  /**
   * The newest claims in order of time. The clocks of shard owners may differ, so a later claim can have an earlier
   * time.
   */
  private readonly claims: Claim[] = [];
  private readonly days = new Map<string, number>();
  private readonly kept: number;
  private tooFast = false;
  private lastDayOver = '';

  constructor(
    private readonly workspaceId: number,
    private readonly rates: readonly OwnRate[] = [],
  ) {
    this.kept = highestPerMinute(rates) + TOO_EARLY;
  }

  /** `premium`: whether the account may have been premium when the claim at `at` (ms) was made. */
  note(at: number, premium: boolean): readonly Difference[] {
    const rate = rateBetween(premium, this.rates, at - CHANGING, at + CHANGING);
    const speed = this.checkMinute(at, rate.perMinute);
    const day = this.checkDay(at, rate.perDay);
    return speed || day ? [speed, day].filter((difference) => difference !== null) : NO_DIFFERENCE;
  }

  private checkMinute(at: number, limit: number): Difference | null {
    const wasTooFast = this.tooFast;
    const over = this.firstOver(this.remember({ at, limit }), limit);
    this.tooFast = over !== null;
    if (this.claims.length > this.kept) this.claims.shift();
    if (!over || wasTooFast) return null;
    const { first, last, limit: most } = over;
    return {
      rule: 'send-rate',
      subject: `workspace ${this.workspaceId}`,
      expected: `at most ${most} claims in 60 s`,
      found: `${most + 1} from ${showTime(first.at)} to ${showTime(last.at)}`,
    };
  }

  /**
   * Inserts a claim and returns its index; nearly always the last. Those that were stamped more than a window later
   * count no more: the clock has been set back since, and a throttle that starts leaves them out, too.
   */
  private remember(claim: Claim): number {
    while ((this.claims.at(-1)?.at ?? -Infinity) > claim.at + RATE_WINDOW) this.claims.pop();
    let place = this.claims.length;
    while (place > 0 && this.claims[place - 1]!.at > claim.at) place -= 1;
    if (place === this.claims.length) this.claims.push(claim);
    else this.claims.splice(place, 0, claim);
    return place;
  }

  /**
   * The first minute with too many claims among those that end with the claim at `place` or later: its first and last
   * claim, and its limit. The claim at `place` is the newest, whatever its time: `allowed` when it was made.
   */
  private firstOver(place: number, allowed: number): { first: Claim; last: Claim; limit: number } | null {
    for (let n = place; n < this.claims.length; n += 1) {
      const last = this.claims[n]!;
      const limit = Math.max(last.limit, allowed);
      const first = this.claims[n - limit];
      if (first && last.at - first.at <= MINUTE) return { first, last, limit };
    }
    return null;
  }

  private checkDay(at: number, limit: number | null): Difference | null {
    const day = dayOf(at);
    const count = (this.days.get(day) ?? 0) + 1;
    this.days.set(day, count);
    if (limit === null || count <= limit || day === this.lastDayOver) return null;
    this.lastDayOver = day;
    return {
      rule: 'send-day',
      subject: `workspace ${this.workspaceId}`,
      expected: `at most ${limit} claims on ${day}`,
      found: `claim ${count} at ${showTime(at)}`,
    };
  }
}
