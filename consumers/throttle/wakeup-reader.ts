import { MINUTE } from '../../lib/clock';
import { AT_ONCE, type WorkspaceWakeup, type WakeupPosition, type WakeupStore } from '../../stores/ports/wakeup-store';
import type { WakeupWriter } from './wakeup-writer';

/** Rows that are due within this time are read together, ms. */
const AHEAD = MINUTE;
const PAGE = 1_000;
const LAST_OF = (at: number): WakeupPosition => ({ at, workspaceId: Number.MAX_SAFE_INTEGER });
const FIRST: WakeupPosition = { at: -1, workspaceId: 0 };

export interface WakeupReaderDeps {
  store: Pick<WakeupStore, 'list'>;
  rows: Pick<WakeupWriter, 'written'>;
  /** The shards that are held. */
  held: () => number[];
  /** Gets each row that was read. */
  onWakeup: (wakeup: WorkspaceWakeup) => void;
}

/** Reads the rows of waiting workspaces shortly before they are due. What is due later stays in the store. */
export class WakeupReader {
  /** Rows until then were read, and those that this process writes stay in memory. */
  upTo = -Infinity;
  /** When the first row after that is due. */
  nextAt = Infinity;
  private readonly unread = new Set<number>();

  constructor(private readonly deps: WakeupReaderDeps) {}

  /** Reads what is due soon in shards that were gained. */
  async gained(shards: readonly number[], now: number): Promise<void> {
    if (this.upTo === -Infinity) this.upTo = now + AHEAD;
    for (const shard of shards) this.unread.add(shard);
    const unread = [...this.unread];
    await this.read(unread, FIRST, this.upTo);
    await this.findNext();
    for (const shard of unread) this.unread.delete(shard);
  }

  /** True after a read of gained shards has failed: `gained` tries it again. */
  get isBehind(): boolean {
    return this.unread.size > 0;
  }

  /** Reads on when the first row after those that were read is due. */
  async advance(now: number): Promise<void> {
    if (now < this.nextAt) return;
    const from = this.upTo;
    // First: what is noted from here on is either in memory or, from before, written by the time of the read.
    this.upTo = now + AHEAD;
    try {
      await this.deps.rows.written();
      await this.read(this.deps.held(), LAST_OF(from), this.upTo);
      await this.findNext();
    } catch (error) {
      this.upTo = from;
      throw error;
    }
  }

  /** Reads the rows that someone else wants to be looked at now. */
  async readAsked(): Promise<void> {
    await this.read(this.deps.held(), FIRST, AT_ONCE);
  }

  /** A row that is due at this time was written and is not kept in memory. */
  note(at: number): void {
    this.nextAt = Math.min(this.nextAt, at);
  }

  private async findNext(): Promise<void> {
    this.nextAt = Infinity;
    const [next] = await this.deps.store.list(this.deps.held(), LAST_OF(this.upTo), Number.MAX_SAFE_INTEGER, 1);
    if (next) this.note(next.at);
  }

  private async read(shards: readonly number[], from: WakeupPosition, upTo: number): Promise<void> {
    for (let after = from; ;) {
      const page = await this.deps.store.list(shards, after, upTo, PAGE);
      for (const wakeup of page) this.deps.onWakeup(wakeup);
      if (page.length < PAGE) return;
      after = page.at(-1)!;
    }
  }
}
