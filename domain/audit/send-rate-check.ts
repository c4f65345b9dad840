import { MINUTE } from '../clock';
import { sendRate } from '../send-rate';
import { wibDay } from '../wib';
import { NO_DIFFERENCE, showTime, type Difference } from './difference';

/** So many claims are remembered: with the one looked at, one more than anybody may make in a minute. */
const REMEMBERED = sendRate(true).perMinute + 1;

/**
 * The claims of one account in the order of booking, each held against the rate it had at that time (I8): at most so many in the
 * 60 s that end with it, and 300 on its WIB day while free. A run of claims beyond a rate is one difference, at its first.
 */
export class SendRateCheck {
  /** The newest claims, ascending. Owners of a shard may differ in time, so that a later one can lie before. */
  private readonly times: number[] = [];
  private readonly days = new Map<string, number>();
  private tooFast = false;
  private lastDayOver = '';

  constructor(private readonly workspaceId: number) {}

  /** `premium`: whether the account may have been premium when the claim at `at` (ms) was made. */
  note(at: number, premium: boolean): readonly Difference[] {
    const rate = sendRate(premium);
    const speed = this.checkMinute(at, rate.perMinute);
    const day = this.checkDay(at, rate.perDay);
    return speed || day ? [speed, day].filter((difference) => difference !== null) : NO_DIFFERENCE;
  }

  private checkMinute(at: number, limit: number): Difference | null {
    const place = this.remember(at);
    const first = this.times[place - limit];
    const wasTooFast = this.tooFast;
    this.tooFast = first !== undefined && at - first <= MINUTE;
    if (this.times.length > REMEMBERED) this.times.shift();
    if (!this.tooFast || wasTooFast || first === undefined) return null;
    return {
      rule: 'send-rate',
      subject: `workspace ${this.workspaceId}`,
      expected: `at most ${limit} claims in 60 s`,
      found: `${limit + 1} from ${showTime(first)} to ${showTime(at)}`,
    };
  }

  /** Where among the times it lies; nearly always at the end. */
  private remember(at: number): number {
    let place = this.times.length;
    while (place > 0 && this.times[place - 1]! > at) place -= 1;
    if (place === this.times.length) this.times.push(at);
    else this.times.splice(place, 0, at);
    return place;
  }

  private checkDay(at: number, limit: number | null): Difference | null {
    const day = wibDay(at);
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
