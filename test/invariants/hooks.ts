import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../lib/clock';
import { createWebhookSender } from '../../commands/webhooks/client/sender';
import type { WebhookRequest, WebhookSender } from '../../commands/webhooks/client/webhook-sender';
import { AUTHORITY, GOOD } from '../commands/webhooks/client/certificates';
import { Endpoint, PUBLIC, targetsOf } from '../commands/webhooks/client/endpoint';
import type { HookBehaviour, HookDns } from './operations';

/** The secret of every webhook of the model. */
export const HOOK_SECRET = 'r'.repeat(40);

/** A webhook that was registered, as its owner knows it. */
export interface Hook {
  workspaceId: number;
  url: string;
  /** It answers 500 to everything. */
  broken: boolean;
  /** Null until the registration was answered. */
  id: number | null;
  /** True while its owner has the answer that it was deleted or switched off. */
  ended: boolean;
}

const ADDRESSES: Record<HookDns, string[]> = {
  public: [PUBLIC],
  private: ['10.0.0.5'],
  'public and private': [PUBLIC, '127.0.0.1'],
};

/** The endpoints of all webhooks: one server that follows a script, and knows what it was sent and when. */
export class Hooks {
  readonly known: Hook[] = [];
  /** The times at which requests began, by `webhook-id`, ms. */
  readonly begun = new Map<string, number[]>();
  /** The ids that were answered 2xx. */
  readonly taken = new Set<string>();
  /** What should not have happened. */
  readonly contradictions: string[] = [];
  private script: HookBehaviour[] = [];
  private addresses = ADDRESSES.public;
  private endpoint!: Endpoint;

  private constructor(private readonly clock: Clock) {}

  static async open(clock: Clock): Promise<Hooks> {
    const hooks = new Hooks(clock);
    hooks.endpoint = await Endpoint.http((req, res) => hooks.answer(req, res), { tls: GOOD });
    return hooks;
  }

  close(): Promise<void> {
    return this.endpoint.stop();
  }

  /** Sets the answers to the next requests; after those it takes everything. */
  follow(script: readonly HookBehaviour[], dns: HookDns): void {
    this.script = [...script];
    this.addresses = ADDRESSES[dns];
  }

  /** A new webhook, which is not registered yet. */
  add(workspaceId: number, broken: boolean): Hook {
    const url = `https://hooks.contoh.test:${this.endpoint.port}/${this.known.length}`;
    const hook = { workspaceId, url, broken, id: null, ended: false };
    this.known.push(hook);
    return hook;
  }

  /** The sender of one run of the service. A process that died sends nothing more. */
  sender(isDead: () => boolean): WebhookSender {
    const sender = createWebhookSender({
      targets: targetsOf({ resolveHost: async () => this.addresses }),
      ca: AUTHORITY,
      reroute: (address) => {
        if (address !== PUBLIC) this.contradictions.push(`I15: a connection to ${address}`);
        return '127.0.0.1';
      },
    });
    return {
      send: (request) => {
        if (isDead()) return new Promise(() => undefined);
        this.begin(request);
        return sender.send(request);
      },
      close: () => sender.close(),
    };
  }

  private begin({ url, headers }: WebhookRequest): void {
    const id = headers['webhook-id'] ?? '';
    this.begun.set(id, [...(this.begun.get(id) ?? []), this.clock.now()]);
    if (this.known.find((hook) => hook.url === url)?.ended) {
      this.contradictions.push(`I10: ${id} was sent to ${url}, which had been deleted or switched off`);
    }
  }

  private answer(req: IncomingMessage, res: ServerResponse): void {
    const body = this.endpoint.bodies.at(-1) ?? '';
    const id = String(req.headers['webhook-id']);
    if (!isSigned(req.headers, body)) this.contradictions.push(`I11: ${id} came with other bytes than were signed`);
    const broken = this.known[Number(req.url?.slice(1))]?.broken;
    const behaviour = broken ? 'error' : (this.script.shift() ?? 'taken');
    if (behaviour === 'cut') return void req.socket.destroy();
    if (behaviour === 'redirect') return void res.writeHead(302, { location: 'https://10.0.0.5/' }).end();
    if (behaviour === 'error') return void res.writeHead(500).end('no');
    this.taken.add(id);
    res.writeHead(204).end();
  }
}

/** As a receiver verifies it, over the bytes that arrived. */
function isSigned(headers: IncomingHttpHeaders, body: string): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': at } = headers;
  const hmac = (text: string, form: 'hex' | 'base64'): string =>
    createHmac('sha256', HOOK_SECRET).update(text).digest(form);
  return (
    headers['x-service-signature'] === hmac(body, 'hex') &&
    headers['webhook-signature'] === `v1,${hmac(`${String(id)}.${String(at)}.${body}`, 'base64')}`
  );
}
