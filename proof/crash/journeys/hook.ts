import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The endpoint of the webhook step. */
export class Hook {
  /** The `webhook-id` of everything that arrived; a repeat after a kill has the same one. */
  readonly seen = new Set<string>();
  private readonly server: Server = createServer((request, response) => {
    this.seen.add(String(request.headers['webhook-id']));
    request.resume();
    response.statusCode = 204;
    response.end();
  });

  /** Listens on 127.0.0.1. Returns its URL. */
  async listen(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}
