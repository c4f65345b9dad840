import { once } from 'node:events';
import { createServer as createHttp, type RequestListener } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { createServer as createTcp, type AddressInfo, type Server, type Socket } from 'node:net';
import { createWebhookSender, type SenderOptions } from '../../../../operations/webhooks/client/sender';
import { createWebhookTargets, type TargetOptions } from '../../../../operations/webhooks/targets';
import type { WebhookSender } from '../../../../operations/webhooks/client/webhook-sender';
import type { Certificate } from './certificates';
import { giveUpAt } from '../../../support/limits';

/** An address that is public; tests lead connections to it to this machine. */
export const PUBLIC = '93.184.216.34';

export interface EndpointOptions {
  host?: string;
  port?: number;
  tls?: Certificate;
}

/** A server on loopback that webhooks are sent to. */
export class Endpoint {
  /** Every connection that was ever made to it. */
  readonly sockets: Socket[] = [];
  /** What arrived, in order. */
  readonly bodies: string[] = [];

  private constructor(private readonly server: Server) {
    server.on('connection', (socket: Socket) => {
      this.sockets.push(socket);
      socket.on('error', () => undefined);
    });
  }

  /** Answers with `handle` once the body of a request has arrived. */
  static http(handle: RequestListener, options: EndpointOptions = {}): Promise<Endpoint> {
    const bodies: string[] = [];
    const listener: RequestListener = (req, res) => {
      const chunks: Buffer[] = [];
      req.on('data', (chunk: Buffer) => chunks.push(chunk));
      req.on('end', () => {
        bodies.push(Buffer.concat(chunks).toString());
        handle(req, res);
      });
    };
    const server = options.tls ? createHttps(options.tls, listener) : createHttp(listener);
    return Endpoint.listen(server, options, bodies);
  }

  /** Answers each first chunk of a connection with these bytes, and ends if they are followed by `end`. */
  static raw(answer: (socket: Socket) => void, options: EndpointOptions = {}): Promise<Endpoint> {
    const server = createTcp((socket) => void socket.once('data', () => answer(socket)));
    return Endpoint.listen(server, options, []);
  }

  private static async listen(server: Server, options: EndpointOptions, bodies: string[]): Promise<Endpoint> {
    const endpoint = new Endpoint(server);
    Object.assign(endpoint, { bodies });
    server.listen(options.port ?? 0, options.host ?? '127.0.0.1');
    await once(server, 'listening');
    return endpoint;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Those of its connections that are open. */
  get open(): number {
    return this.sockets.filter((socket) => !socket.destroyed).length;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }
}

/** Targets whose names all lead to one public address, with the changes of a test. */
export function targetsOf(change: Partial<TargetOptions> = {}) {
  return createWebhookTargets({
    privateHosts: [],
    ownHooks: () => null,
    resolveHost: () => Promise.resolve([PUBLIC]),
    resolveLocally: () => Promise.resolve(['127.0.0.1']),
    ...change,
  });
}

/** A sender which may reach `hooks.contoh.test` on this machine, also without TLS. */
export function senderTo(change: Partial<SenderOptions> = {}): WebhookSender {
  return createWebhookSender({ targets: targetsOf({ privateHosts: ['hooks.contoh.test'] }), ...change });
}

export const HEADERS = { 'content-type': 'application/json', 'webhook-id': 'evt-1' };

/** A request for a URL. */
export const post = (url: string, body = '{"event":"open"}') => ({ url, headers: HEADERS, body: Buffer.from(body) });

/** Waits until something holds. */
export async function until(holds: () => boolean): Promise<void> {
  const end = giveUpAt();
  while (!holds()) {
    if (performance.now() > end) throw new Error(`it did not happen: ${String(holds)}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
