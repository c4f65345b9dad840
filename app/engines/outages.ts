import type { Logger } from '../../lib/logger';
import { Backoff } from '../../lib/backoff';
import { sleep } from '../../lib/sleep';
import { withTimeout } from '../../lib/with-timeout';

export interface Watched {
  /** `MongoDB at m.example (MONGODB_URL)` */
  server: string;
  /** What its absence means, a sentence. */
  meanwhile: string;
  /** Rejects when it does not answer. */
  ask: () => Promise<unknown>;
}

export interface OutageOptions {
  logger: Pick<Logger, 'info' | 'warn'>;
  /** Real time between two looks, and how long an answer may take, ms. */
  every?: number;
  limit?: number;
}

const LOOK_EVERY = 2_000;
/** A hand-over to another primary takes longer, and is told of; a busy machine takes less. */
const ANSWER_LIMIT = 3_000;
/** Between looks for a server that is gone, ms. */
const FIRST_WAIT = 500;
/** What was asked while a server was gone may fail so much later, ms. */
const AFTERMATH = 15_000;
const LONGEST_WAIT = 5_000;

/** The servers a running process needs: one line when one of them answers no longer, one when it does again. */
export class Outages {
  private readonly watches: Watch[] = [];
  private readonly stopping = new AbortController();

  constructor(private readonly options: OutageOptions) {}

  add(watched: Watched): void {
    this.watches.push(new Watch(watched, this.options, this.stopping.signal));
  }

  /** Looks at the servers from now on. */
  start(): void {
    for (const watch of this.watches) void watch.run();
  }

  /** From now on nothing is told, and nobody asked. */
  stop(): void {
    this.stopping.abort();
  }

  /** Whether one of them was told to be gone, so that this is why somebody hears "not now"; also a moment after it was back. */
  explain(): boolean {
    return this.watches.some((watch) => watch.explains());
  }

  /** Something failed that asked a server: looks at once; answers whether one of them is gone. */
  async suspect(): Promise<boolean> {
    if (this.stopping.signal.aborted) return this.explain();
    return (await Promise.all(this.watches.map((watch) => watch.look()))).includes(true);
  }
}

class Watch {
  /** When its silence began, by `performance`. */
  private since: number | null = null;
  private backAt = -Infinity;
  private looking: Promise<boolean> | null = null;
  /** One at a time: a server that comes back answers the question it was asked. */
  private asking: Promise<unknown> | null = null;

  constructor(
    private readonly watched: Watched,
    private readonly options: OutageOptions,
    private readonly stopping: AbortSignal,
  ) {}

  isOut(): boolean {
    return this.since !== null;
  }

  explains(): boolean {
    return this.isOut() || performance.now() - this.backAt < AFTERMATH;
  }

  /** Never rejects. */
  async run(): Promise<void> {
    const { every = LOOK_EVERY } = this.options;
    const wait = new Backoff({ first: FIRST_WAIT, longest: LONGEST_WAIT });
    while (!this.stopping.aborted) {
      const out = await this.look();
      if (!out) wait.reset();
      await sleep(out ? wait.next() : every, this.stopping);
    }
  }

  /** True when it does not answer. Callers at the same time share one look. */
  look(): Promise<boolean> {
    this.looking ??= this.ask().finally(() => (this.looking = null));
    return this.looking;
  }

  private async ask(): Promise<boolean> {
    const began = performance.now();
    this.asking ??= this.watched.ask().finally(() => (this.asking = null));
    try {
      await withTimeout(this.asking, this.options.limit ?? ANSWER_LIMIT);
      this.found();
    } catch (error) {
      this.lost(error, began);
    }
    return this.isOut();
  }

  private lost(error: unknown, began: number): void {
    if (this.since !== null || this.stopping.aborted) return;
    this.since = began;
    const { server, meanwhile } = this.watched;
    const reason = (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';
    this.options.logger.warn(
      { reason },
      `${server} does not answer. ${meanwhile} Check that it runs and that this machine may connect.`,
    );
  }

  private found(): void {
    if (this.since === null || this.stopping.aborted) return;
    this.backAt = performance.now();
    const goneMs = Math.round(this.backAt - this.since);
    this.since = null;
    const { server } = this.watched;
    this.options.logger.info(
      { gone_ms: goneMs },
      `${server} answers again; it was gone for ${Math.ceil(goneMs / 1_000)} s.`,
    );
  }
}
