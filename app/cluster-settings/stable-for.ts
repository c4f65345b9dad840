import { SECOND } from '../../lib/clock';

/** Partitions and shards that change hands have no owner for this long at most, ms. */
const HAND_OVER = 15 * SECOND;

/** Tells what lasts from what passes: a partition that changes hands has no owner for a moment. */
export class StableFor<T> {
  private readonly since = new Map<T, number>();

  /** `now`: real time, ms. */
  constructor(
    private readonly now: () => number = () => performance.now(),
    private readonly patience = HAND_OVER,
  ) {}

  /** Notes what is there now. Returns those of them that were there in each call for the last 15 seconds. */
  note(found: Iterable<T>): T[] {
    const now = this.now();
    const there = new Set(found);
    for (const one of this.since.keys()) if (!there.has(one)) this.since.delete(one);
    for (const one of there) if (!this.since.has(one)) this.since.set(one, now);
    return [...there].filter((one) => now - (this.since.get(one) ?? now) >= this.patience);
  }
}
