import { setImmediate } from 'node:timers/promises';
import type { Answered } from './answer-reader';
import { AttemptLimits, type TimeLimits } from './attempt-limits';
import type * as client from './connection';
import type { Connection, Post } from './connection';
import { describeFailure, describeStatus, TargetRefused } from './describe-failure';
import { IdleConnections } from './idle-connections';
import { openSocket } from './open-socket';
import type { Target, WebhookTargets } from '../targets';
import type { WebhookAnswer, WebhookRequest, WebhookSender } from './webhook-sender';

export interface SenderOptions {
  targets: Pick<WebhookTargets, 'find'>;
  /** Default: 5 s to connect, 10 s in all (docs/contract.md#webhook-delivery). */
  limits?: TimeLimits;
  /** Connections that are kept for later requests. */
  maxIdle?: number;
  /** Certificate authorities (PEM) to trust instead of the system's. */
  ca?: string;
  /** For tests: where a connection to a checked address really goes. */
  reroute?: (address: string) => string;
}

const LIMITS: TimeLimits = { connect: 5_000, whole: 10_000 };
const MAX_IDLE = 500;
/** Addresses of one name that are tried. */
const MAX_TRIED = 4;

type Found = Extract<Target, { ok: true }>;

/** A connection that is open, with its key among the idle ones. */
interface Opened {
  connection: Connection;
  key: string;
}

/**
 * Sends webhooks over connections of its own. Each attempt checks its URL and looks up its host again, and connects to
 * the addresses that were checked, so that a name cannot lead elsewhere in between
 * (docs/decisions/0030-webhook-urls-must-be-public.md). It knows no proxies and no cookies, and follows no redirects.
 */
export function createWebhookSender(options: SenderOptions): WebhookSender {
  return new Sender(options);
}

class Sender implements WebhookSender {
  private readonly idle: IdleConnections;
  private readonly running = new Map<AttemptLimits, Promise<WebhookAnswer>>();
  private isClosed = false;
  private loaded: Promise<typeof client> | null = null;

  constructor(private readonly options: SenderOptions) {
    this.idle = new IdleConnections(options.maxIdle ?? MAX_IDLE);
  }

  async send(request: WebhookRequest): Promise<WebhookAnswer> {
    // Before the time of the attempt begins: a busy machine may take seconds.
    await this.client();
    const limits = new AttemptLimits(this.options.limits ?? LIMITS, request.signal);
    if (this.isClosed) limits.stop();
    const attempt = this.attempt(request, limits);
    this.running.set(limits, attempt);
    try {
      return await attempt;
    } finally {
      limits.clear();
      this.running.delete(limits);
    }
  }

  /** Loaded with the first webhook: undici takes 20 MB and a tenth of a second of every start. */
  private client(): Promise<typeof client> {
    return (this.loaded ??= import('./connection.js'));
  }

  async close(): Promise<void> {
    this.isClosed = true;
    for (const limits of this.running.keys()) limits.stop();
    await Promise.all(this.running.values());
    this.idle.closeAll();
  }

  private async attempt(request: WebhookRequest, limits: AttemptLimits): Promise<WebhookAnswer> {
    const startedAt = performance.now();
    const durationMs = (): number => Math.round(performance.now() - startedAt);
    try {
      const { status, text } = await this.deliver(request, limits);
      const error = describeStatus(status);
      return { ok: error === null, status, error, durationMs: durationMs(), answer: text };
    } catch (error) {
      return { ok: false, status: null, error: describeFailure(error), durationMs: durationMs(), answer: null };
    }
  }

  private async deliver({ url: text, headers, body }: WebhookRequest, limits: AttemptLimits): Promise<Answered> {
    limits.check();
    const target = await limits.race(this.options.targets.find(text));
    if (!target.ok) throw new TargetRefused(target.fault, target.cause);
    const { url } = target;
    const post: Post = { path: `${url.pathname}${url.search}`, headers, body };
    // What has arrived is read first: a connection whose end is among it is not taken.
    await setImmediate();
    const { connection, key } = this.takeIdle(target) ?? (await this.open(target, limits));
    limits.connected();
    // Never repeated: from the first byte on, the endpoint may have read all of it.
    const answered = await connection.post(post, limits);
    if (connection.isUsable && !this.isClosed) this.idle.put(key, connection);
    else connection.close();
    return answered;
  }

  private takeIdle({ url, addresses }: Found): Opened | null {
    for (const address of addresses) {
      const key = keyOf(url, address);
      const connection = this.idle.take(key);
      if (connection) return { connection, key };
    }
    return null;
  }

  /** Tries the checked addresses in turn; each gets its share of the time. */
  private async open(target: Found, limits: AttemptLimits): Promise<Opened> {
    const { url, addresses } = target;
    const tried = addresses.slice(0, MAX_TRIED);
    let failure: unknown;
    for (const [i, address] of tried.entries()) {
      const key = keyOf(url, address);
      try {
        return { connection: await this.connect(url, address, limits, tried.length - i), key };
      } catch (error) {
        limits.check();
        failure = error;
      }
    }
    throw failure;
  }

  private async connect(url: URL, address: string, limits: AttemptLimits, left: number): Promise<Connection> {
    const { Connection } = await this.client();
    const { ca, reroute } = this.options;
    const isSecure = url.protocol === 'https:';
    const { socket, ready } = openSocket({
      address: reroute?.(address) ?? address,
      port: Number(url.port) || (isSecure ? 443 : 80),
      certified: isSecure ? url.hostname.replace(/^\[|\]$|\.$/g, '') : null,
      ...(ca !== undefined && { ca }),
    });
    // The last address has all the time that is left, which the limits hold.
    const late = (): unknown => socket.destroy(Object.assign(new Error('late'), { code: 'ETIMEDOUT' }));
    const timer = left > 1 ? setTimeout(late, limits.connectTime / left) : null;
    limits.onEnd((ended) => socket.destroy(ended));
    try {
      await ready;
      return new Connection(url.origin, socket, (closed) => this.idle.remove(keyOf(url, address), closed));
    } catch (error) {
      socket.destroy();
      throw error;
    } finally {
      if (timer) clearTimeout(timer);
      limits.onEnd(null);
    }
  }
}

const keyOf = (url: URL, address: string): string => `${url.origin} ${address}`;
