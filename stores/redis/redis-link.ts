import type { Redis } from 'ioredis';
import type { Logger } from '../../lib/logger';
import { sleep } from '../../lib/sleep';
import { withTimeout } from '../../lib/with-timeout';
import { describeFault } from './describe-fault';

export interface LinkOptions<R extends Redis> {
  redis: R;
  /** Runs what callers will ask for: a server that is full or read-only still answers a PING. */
  probe: (redis: R) => Promise<unknown>;
  /** Logs once when the server is lost and once when it is back. */
  logger: Pick<Logger, 'info' | 'warn'>;
  /** Which server and where, without user and password, for the log. */
  server: string;
}

/** Maximum wait of a caller for an answer, ms. A nearby Redis answers in less than 1 ms. */
const ANSWER_LIMIT = 100;
/** Delay between retries of a lost server, ms. */
const RETRY_EVERY = 1_000;

/**
 * A Redis that may be down, slow or frozen at any time. After the first query that fails, queries return at once
 * without an answer, until a trial in the background succeeds.
 */
export class RedisLink<R extends Redis> {
  private state: 'new' | 'up' | 'down' | 'closed' = 'new';
  private connectionError: Error | null = null;
  private lostAt = 0;
  private readonly closing = new AbortController();

  private constructor(private readonly options: LinkOptions<R>) {
    // Only this event says why there is no connection; a failed command does not.
    options.redis.on('error', (error: Error) => (this.connectionError = error));
    options.redis.on('close', () => this.lose(new Error('the connection was closed')));
  }

  /**
   * Resolves when the server has answered or is known to be down; in the latter case it keeps retrying. Never rejects.
   */
  static async open<R extends Redis>(options: LinkOptions<R>): Promise<RedisLink<R>> {
    const link = new RedisLink(options);
    const settled = new Promise<void>((resolve) => options.redis.once('ready', resolve).once('close', resolve));
    await withTimeout(settled, RETRY_EVERY).catch(() => undefined);
    await link.probe((error) => link.lose(error));
    return link;
  }

  /** Returns the answer, or null if there is none within the limit. Never rejects. */
  async ask<T>(query: (redis: R) => Promise<T>): Promise<T | null> {
    if (this.state !== 'up') return null;
    try {
      return await withTimeout(query(this.options.redis), ANSWER_LIMIT);
    } catch (error) {
      this.lose(error);
      return null;
    }
  }

  /** True if the server answers now. */
  async check(): Promise<boolean> {
    return (await this.ask(async (redis) => ({ answer: await this.options.probe(redis) }))) !== null;
  }

  close(): void {
    this.state = 'closed';
    this.closing.abort();
    this.options.redis.disconnect();
  }

  private lose(error: unknown): void {
    if (this.state === 'down' || this.state === 'closed') return;
    this.state = 'down';
    this.lostAt = performance.now();
    this.options.logger.warn(
      describeFault(this.connectionError ?? error),
      `${this.options.server} does not respond. Until it does, each process limits the API rate on its own. Check that it is running and reachable from this machine.`,
    );
    // Other queries on this connection have waited long enough too.
    this.options.redis.disconnect(true);
    void this.retryUntilFound();
  }

  /** Not a WorkerLoop: it runs only while the server is lost. */
  private async retryUntilFound(): Promise<void> {
    const { signal } = this.closing;
    while (this.state === 'down') {
      await sleep(RETRY_EVERY, signal, false);
      await this.probe(() => undefined);
    }
  }

  private async probe(failed: (error: unknown) => void): Promise<void> {
    if (this.state === 'closed') return;
    try {
      await withTimeout(this.options.probe(this.options.redis), ANSWER_LIMIT);
    } catch (error) {
      failed(error);
      return;
    }
    this.found();
  }

  private found(): void {
    if (this.state === 'down') this.logRecovery();
    if (this.state !== 'closed') this.state = 'up';
    this.connectionError = null;
  }

  private logRecovery(): void {
    const { server, logger } = this.options;
    const downMs = Math.round(performance.now() - this.lostAt);
    logger.info(
      { gone_ms: downMs },
      `${server} responds again after ${Math.ceil(downMs / 1_000)} s. The API rate is shared again.`,
    );
  }
}
