import { setTimeout as pause } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { withTimeout } from '../../lib/with-timeout';
import { describeFault } from './describe-fault';

/** Told once when the server is lost, and once when it is back. */
export interface LinkLogger {
  info(facts: object, text: string): void;
  warn(facts: object, text: string): void;
}

export interface LinkOptions<R extends Redis> {
  redis: R;
  /** Does what the callers will ask for: a server that is full or read-only answers a PING all the same. */
  probe: (redis: R) => Promise<unknown>;
  logger: LinkLogger;
  /** Which server and where, without user and password, for the log. */
  server: string;
}

/** No caller waits longer than this for an answer, ms; a Redis nearby answers in less than one. */
const ANSWER_LIMIT = 100;
/** How often a lost server is tried again, ms. */
const TRY_EVERY = 1_000;

/**
 * A Redis that may be gone, slow or frozen at any time. The first question that fails ends the trust in it: from then on nobody
 * asks, and so nobody waits, until a trial in the background was answered.
 */
export class RedisLink<R extends Redis> {
  private state: 'new' | 'up' | 'down' | 'closed' = 'new';
  private connectionError: Error | null = null;
  private lostAt = 0;
  private readonly closing = new AbortController();

  private constructor(private readonly options: LinkOptions<R>) {
    // Why there is no connection is told by this event only; a command says no more than that there is none.
    options.redis.on('error', (error: Error) => (this.connectionError = error));
    options.redis.on('close', () => this.lose(new Error('the connection was closed')));
  }

  /** Open once the server has answered or is known to be missing; then it is looked for. Never rejects. */
  static async open<R extends Redis>(options: LinkOptions<R>): Promise<RedisLink<R>> {
    const link = new RedisLink(options);
    const settled = new Promise<void>((resolve) => options.redis.once('ready', resolve).once('close', resolve));
    await Promise.race([settled, pause(TRY_EVERY, undefined, { ref: false })]);
    await link.try((error) => link.lose(error));
    return link;
  }

  /** The answer, or null when there is none within the limit. Never rejects. */
  async ask<T>(question: (redis: R) => Promise<T>): Promise<T | null> {
    if (this.state !== 'up') return null;
    try {
      return await withTimeout(question(this.options.redis), ANSWER_LIMIT);
    } catch (error) {
      this.lose(error);
      return null;
    }
  }

  /** Whether the server answers just now. */
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
      `${this.options.server} does not answer. Each process limits the API rate by itself until it does. Check that it runs and that this machine may connect.`,
    );
    // Whatever else waits for an answer on this connection has waited long enough too.
    this.options.redis.disconnect(true);
    void this.tryAgain();
  }

  private async tryAgain(): Promise<void> {
    const { signal } = this.closing;
    while (this.state === 'down') {
      await pause(TRY_EVERY, undefined, { signal, ref: false }).catch(() => undefined);
      await this.try(() => undefined);
    }
  }

  private async try(failed: (error: unknown) => void): Promise<void> {
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
    if (this.state === 'down') this.tellBack();
    if (this.state !== 'closed') this.state = 'up';
    this.connectionError = null;
  }

  private tellBack(): void {
    const { server, logger } = this.options;
    const goneMs = Math.round(performance.now() - this.lostAt);
    logger.info(
      { gone_ms: goneMs },
      `${server} answers again; it was gone for ${Math.ceil(goneMs / 1_000)} s. The API rate is shared again.`,
    );
  }
}
