import type { Logger } from '../../lib/logger';
import { Backoff } from '../../lib/backoff';
import { withTimeout } from '../../lib/with-timeout';
import { WorkerLoop } from '../../lib/worker-loop';

export interface Watched {
  /** `MongoDB at m.example (MONGODB_URL)` */
  server: string;
  /** What its absence means, as a sentence. */
  meanwhile: string;
  /** Rejects when it does not answer. */
  ask: () => Promise<unknown>;
}

export interface OutageOptions {
  logger: Pick<Logger, 'info' | 'warn'>;
  /** Real time between two checks, and how long an answer may take, ms. */
  every?: number;
  limit?: number;
}

const LOOK_EVERY = 2_000;
/** A failover to another primary takes longer and is logged; a delay on a busy machine is shorter and is not. */
const ANSWER_LIMIT = 3_000;
/** Time between checks of a server that is down, ms. */
const FIRST_WAIT = 500;
/** Requests sent while a server was down may still fail this much later, ms. */
const AFTERMATH = 15_000;
const LONGEST_WAIT = 5_000;

/**
 * Watches the servers a running process needs. Logs one line when a server stops answering and one when it answers
 * again.
 */
export class Outages {
  private readonly watches: Watch[] = [];
  private readonly stopping = new AbortController();

  constructor(private readonly options: OutageOptions) {}

  add(watched: Watched): void {
    this.watches.push(new Watch(watched, this.options, this.stopping.signal));
  }

  /** Starts checking the servers. */
  start(): void {
    for (const watch of this.watches) watch.loop.start();
  }

  /** Stops checking and logging. */
  stop(): void {
    this.stopping.abort();
    for (const watch of this.watches) void watch.loop.stop();
  }

  /** True while a logged outage explains an UnavailableError, including shortly after the server is back. */
  explain(): boolean {
    return this.watches.some((watch) => watch.explains());
  }

  /** Call when a request to a server failed: checks at once and returns whether a server is down. */
  async suspect(): Promise<boolean> {
    if (this.stopping.signal.aborted) return this.explain();
    return (await Promise.all(this.watches.map((watch) => watch.look()))).includes(true);
  }
}

class Watch {
  readonly loop: WorkerLoop;
  /** When it stopped answering, by the `performance` clock. */
  private since: number | null = null;
  private backAt = -Infinity;
  private looking: Promise<boolean> | null = null;
  /** One request at a time: a server that comes back answers the pending one. */
  private asking: Promise<unknown> | null = null;

  constructor(
    private readonly watched: Watched,
    private readonly options: OutageOptions,
    private readonly stopping: AbortSignal,
  ) {
    const { every = LOOK_EVERY } = options;
    const backoff = new Backoff({ first: FIRST_WAIT, longest: LONGEST_WAIT });
    this.loop = new WorkerLoop({
      iterate: async () => {
        if (await this.look()) return backoff.next();
        backoff.reset();
        return every;
      },
      onError: (err) => options.logger.warn({ err }, `${watched.server} could not be checked; trying again`),
    });
  }

  isOut(): boolean {
    return this.since !== null;
  }

  explains(): boolean {
    return this.isOut() || performance.now() - this.backAt < AFTERMATH;
  }

  /** True when it does not answer. Concurrent callers share one check. */
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
      `${server} does not respond. ${meanwhile} Check that it is running and reachable from this machine.`,
    );
  }

  private found(): void {
    if (this.since === null || this.stopping.aborted) return;
    this.backAt = performance.now();
    const goneMs = Math.round(this.backAt - this.since);
    this.since = null;
    const { server } = this.watched;
    this.options.logger.info({ gone_ms: goneMs }, `${server} responds again after ${Math.ceil(goneMs / 1_000)} s.`);
  }
}
