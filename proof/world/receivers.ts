import { createHmac } from 'node:crypto';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { sleep } from '../../lib/sleep';
import type { Ports } from './program';
import type { Recorder } from './recorder';
import type { Random } from './random';

/** What a receiver of webhooks mostly does. */
export const MANNERS = ['good', 'good', 'slow', 'failing', 'silent', 'flaky'] as const;
/** `good once refused`: its first answer is a refusal. */
export type Manner = (typeof MANNERS)[number] | 'good once refused';

/**
 * How many requests a receiver keeps waiting, unless it is told otherwise; then it answers at once, or hours of the
 * world pass in waiting.
 */
const MAX_WAITS = 2;

/** Receivers of webhooks: each has a port, a manner and, once it is registered, a secret. */
export class Receivers {
  private readonly secrets = new Map<string, string>();
  /** How many requests each receiver has kept waiting. */
  private readonly waits = new Map<string, number>();
  private readonly refused = new Set<string>();
  private readonly servers: http.Server[] = [];

  constructor(
    private readonly recorder: Recorder,
    private readonly random: Random,
    private readonly ports: Ports,
    private readonly mostWaits = MAX_WAITS,
  ) {}

  /** Opens one and returns its name and URL. */
  open(n: number, manner: Manner = this.random.pick(MANNERS)): { hook: string; url: string } {
    const hook = `hook-${n}`;
    const port = this.ports.hooks + n;
    this.servers.push(http.createServer((req, res) => void this.receive(hook, manner, req, res)).listen(port));
    return { hook, url: `http://127.0.0.1:${port}/${hook}` };
  }

  /** The secret that the registration answered. */
  know(hook: string, secret: string): void {
    this.secrets.set(hook, secret);
  }

  close(): void {
    for (const server of this.servers) void (server.closeAllConnections(), server.close());
  }

  private async receive(hook: string, manner: Manner, req: IncomingMessage, res: ServerResponse): Promise<void> {
    const raw = await whole(req);
    if (!raw) return;
    const body = JSON.parse(raw.toString('utf8')) as { event: string; message_id: string; occurred_at: string };
    const secret = this.secrets.get(hook);
    const act = this.recorder.begin(hook, 'deliver', {
      hook,
      id: String(req.headers['webhook-id']),
      event: body.event,
      message: body.message_id,
      at: body.occurred_at,
      signed: secret === undefined || isSigned(req, raw, secret),
    });
    const status = await this.answer(hook, manner);
    if (status === null) {
      act.info('cut');
      return void req.socket.destroy();
    }
    act.ok({ status });
    res.writeHead(status).end();
  }

  /** The status to answer; null: none. */
  private async answer(hook: string, manner: Manner): Promise<number | null> {
    const { random } = this;
    const waits = this.waits.get(hook) ?? 0;
    const waitsNow = waits < this.mostWaits && (manner === 'slow' || manner === 'silent');
    if (waitsNow) this.waits.set(hook, waits + 1);
    switch (manner) {
      case 'good':
        return 204;
      case 'good once refused': {
        const isFirst = !this.refused.has(hook);
        this.refused.add(hook);
        return isFirst ? 500 : 204;
      }
      case 'slow':
        if (waitsNow) await sleep(random.between(0, 12_000));
        return 200;
      case 'failing':
        return random.pick([500, 404, 302]);
      case 'silent':
        if (waitsNow) await sleep(30_000);
        return null;
      case 'flaky':
        return random.pick([200, 500, null]);
    }
  }
}

/** Whether both signatures are right: of the Standard Webhooks, and the plain one. */
function isSigned({ headers }: IncomingMessage, raw: Buffer, secret: string): boolean {
  const about = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.`;
  const standard = createHmac('sha256', secret).update(about).update(raw).digest('base64');
  const plain = createHmac('sha256', secret).update(raw).digest('hex');
  return headers['webhook-signature'] === `v1,${standard}` && headers['x-service-signature'] === plain;
}

/** The body of a request; null if it broke off. */
async function whole(req: IncomingMessage): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  try {
    for await (const part of req) parts.push(part as Buffer);
    return Buffer.concat(parts);
  } catch {
    return null;
  }
}
