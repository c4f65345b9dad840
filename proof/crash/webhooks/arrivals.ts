import { SECOND } from '../../../lib/clock';
import type { Acts, Line } from '../../judge/history';
import { until } from '../stage/until';

/** From the start of one attempt to the next (docs/contract.md#webhook-delivery), ms. */
const WAITS = [30, 60, 90, 120].map((seconds) => seconds * SECOND);
/** How late an attempt may come by the clock of the receiver, unless a run says otherwise, ms. */
const LATE = 2 * SECOND;
/** The last wait ends 300 s after the first attempt; the rest is for slow machines, ms. */
const PATIENCE = 400_000;

/** What endpoints received, as a history tells it while it grows. */
export class Arrivals {
  private read = 0;
  private readonly seen = new Set<string>();
  /** The times of the requests under each id, by hook. */
  private readonly attempts = new Map<string, Map<string, number[]>>();
  private readonly faults: number[] = [];

  constructor(
    private readonly lines: readonly Line[],
    /** Hooks whose different events are counted. */
    private readonly good: ReadonlySet<string>,
  ) {}

  /** Different events at good endpoints, summed over these. */
  get count(): number {
    this.readOn();
    return this.seen.size;
  }

  /** Waits until every one of `events` at each of these hooks had as many attempts. */
  async untilAttempts(hooks: readonly string[], events: number, wanted: number): Promise<void> {
    const isOpen = (hook: string): boolean =>
      [...(this.attempts.get(hook)?.values() ?? [])].filter((times) => times.length >= wanted).length < events;
    const areOver = (): boolean => {
      this.readOn();
      return !hooks.some(isOpen);
    };
    await until(areOver, { every: SECOND / 2, patience: PATIENCE });
  }

  /**
   * Attempts at these hooks that came late, or early: the judge knows the least that each wait takes. One that a kill
   * lay before does not count, since a start and a lease may have passed.
   */
  wrongWaits(hooks: readonly string[], tolerated = LATE): { worst: number; faults: string[] } {
    this.readOn();
    const found = { worst: 0, faults: [] as string[] };
    for (const hook of hooks) {
      for (const [id, times] of this.attempts.get(hook) ?? []) {
        times.slice(1).forEach((at, i) => {
          const before = times[i]!;
          if (this.faults.some((fault) => fault > before - SECOND && fault < at)) return;
          const off = at - before - (WAITS[i] ?? 0);
          found.worst = Math.max(found.worst, Math.abs(off));
          if (off > tolerated) found.faults.push(`${hook}: attempt ${i + 2} under ${id} came ${off} ms late`);
        });
      }
    }
    return found;
  }

  private readOn(): void {
    for (; this.read < this.lines.length; this.read++) {
      const { f, type, t, value } = this.lines[this.read]!;
      if (f === 'fault') this.faults.push(t);
      if (f !== 'deliver' || type !== 'invoke') continue;
      const { hook, id } = value as Acts['deliver'][0];
      if (this.good.has(hook)) {
        this.seen.add(`${hook} ${id}`);
        continue;
      }
      const byId = this.attempts.get(hook) ?? new Map<string, number[]>();
      byId.set(id, [...(byId.get(id) ?? []), t]);
      this.attempts.set(hook, byId);
    }
  }
}
