import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventName, type Payload } from './webhook-visits';
import { monotonic } from './time';

/** Event and time of an arrival. */
export type Arrival = [event: string, at: number];

export interface WebhookCount {
  requests: number;
  /** Monotonic times of the arrival in the middle and of the last one. */
  halfAt: number;
  lastAt: number;
}

/** Endpoints of webhooks on 127.0.0.1. All but the last answer 204 at once; the last one never answers. */
export class WebhookEndpoints {
  /** The body of the last request. */
  lastBody = '';
  private readonly servers: Server[] = [];
  private arrived: Arrival[] = [];

  /** Returns the ports: those of `count` good endpoints, and that of the hanging one. */
  async listen(count: number): Promise<number[]> {
    for (let i = 0; i <= count; i += 1) this.servers.push(this.serve(i === count));
    for (const server of this.servers) await once(server.listen(0, '127.0.0.1'), 'listening');
    return this.servers.map((server) => (server.address() as AddressInfo).port);
  }

  reset(): void {
    this.arrived = [];
  }

  count(): WebhookCount {
    const requests = this.arrived.length;
    return { requests, halfAt: this.arrived[requests >> 1]?.[1] ?? 0, lastAt: this.arrived.at(-1)?.[1] ?? 0 };
  }

  /** At the good endpoints. */
  arrivals(): Arrival[] {
    return this.arrived;
  }

  private serve(hangs: boolean): Server {
    return createServer((req, res) => {
      const at = monotonic();
      const chunks: Buffer[] = [];
      req.on('data', (chunk: Buffer) => chunks.push(chunk));
      req.on('end', () => {
        if (hangs) return;
        this.lastBody = Buffer.concat(chunks).toString();
        this.arrived.push([eventName(JSON.parse(this.lastBody) as Payload), at]);
        res.writeHead(204).end();
      });
    });
  }
}
