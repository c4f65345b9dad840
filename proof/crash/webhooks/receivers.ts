import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventName, type Payload } from './hits';

/** What an endpoint does: answers 204, 500 or 302, or never. */
export type Behaviour = 'good' | 'refuses' | 'redirects' | 'hangs';

/** What one endpoint got of one event, under one `webhook-id`. */
export interface Arrivals {
  id: string;
  /** See `eventName`. */
  event: string;
  /** By the clock of this process, ms. */
  times: number[];
}

/** A fault for every request would fill the memory. */
const MOST_FAULTS = 100;
/** A receiver refuses older ones, seconds. */
const FRESH = 300;

interface Endpoint {
  behaviour: Behaviour;
  secret: string;
  server: Server;
  /** By `webhook-id`; at failing endpoints only. */
  arrivals: Map<string, Arrivals>;
  /** The `webhook-id` of every event, and further ones of the same event; at good endpoints only. */
  ids: Map<string, string>;
  furtherIds: Map<string, Set<string>>;
}

/** Endpoints on ports of 127.0.0.1 that share no code with the service, and what they received. */
export class Receivers {
  readonly faults: string[] = [];
  requests = 0;
  /** Different events at good endpoints, summed over these. */
  arrived = 0;
  /** Requests there with an event that had come before, under the same id. */
  repeats = 0;
  private readonly endpoints: Endpoint[];
  /** One string for each event, however many endpoints have it. */
  private readonly names = new Map<string, string>();

  constructor(behaviours: readonly Behaviour[]) {
    this.endpoints = behaviours.map((behaviour, i) => ({
      behaviour,
      secret: '',
      server: createServer((req, res) => {
        const at = Date.now();
        const chunks: Buffer[] = [];
        req.on('data', (chunk: Buffer) => chunks.push(chunk));
        req.on('end', () => this.take(i, at, req.headers, Buffer.concat(chunks), res));
      }),
      arrivals: new Map(),
      ids: new Map(),
      furtherIds: new Map(),
    }));
  }

  /** Returns the ports, in the order of the endpoints. */
  async listen(): Promise<number[]> {
    return Promise.all(
      this.endpoints.map(async ({ server }) => {
        server.keepAliveTimeout = 60_000;
        await once(server.listen(0, '127.0.0.1'), 'listening');
        return (server.address() as AddressInfo).port;
      }),
    );
  }

  learn(secrets: readonly string[]): void {
    secrets.forEach((secret, i) => (this.at(i).secret = secret));
  }

  /** What failing endpoints received. */
  arrivals(i: number): Arrivals[] {
    return [...this.at(i).arrivals.values()];
  }

  /** The events that a good endpoint has not received. */
  missing(i: number, events: readonly string[]): string[] {
    return events.filter((event) => !this.at(i).ids.has(event));
  }

  /** Events that came to a good endpoint under several ids, and how many these are. */
  severalIds(i: number): [event: string, ids: number][] {
    return [...this.at(i).furtherIds].map(([event, ids]) => [event, ids.size + 1]);
  }

  private at(i: number): Endpoint {
    return this.endpoints[i] as Endpoint;
  }

  private take(i: number, at: number, headers: IncomingHttpHeaders, body: Buffer, res: ServerResponse): void {
    const endpoint = this.at(i);
    this.requests += 1;
    const fault = faultOf(headers, body, endpoint.secret, at);
    if (fault !== null && this.faults.length < MOST_FAULTS) this.faults.push(`endpoint ${i}: ${fault}`);
    const id = String(headers['webhook-id']);
    const event = this.nameOf(body);
    if (endpoint.behaviour === 'good') this.note(endpoint, event, id);
    else noteTime(endpoint, event, id, at);
    answer(endpoint.behaviour, res);
  }

  private note({ ids, furtherIds }: Endpoint, event: string, id: string): void {
    const first = ids.get(event);
    if (first === undefined) {
      ids.set(event, id);
      this.arrived += 1;
    } else if (first === id) {
      this.repeats += 1;
    } else {
      furtherIds.set(event, (furtherIds.get(event) ?? new Set()).add(id));
    }
  }

  private nameOf(body: Buffer): string {
    const name = eventName(JSON.parse(body.toString()) as Payload);
    const known = this.names.get(name);
    if (known === undefined) this.names.set(name, name);
    return known ?? name;
  }
}

function noteTime({ arrivals }: Endpoint, event: string, id: string, at: number): void {
  const known = arrivals.get(id);
  if (known) known.times.push(at);
  else arrivals.set(id, { id, event, times: [at] });
}

function answer(behaviour: Behaviour, res: ServerResponse): void {
  if (behaviour === 'good') res.writeHead(204).end();
  else if (behaviour === 'refuses') res.writeHead(500).end('no');
  else if (behaviour === 'redirects') res.writeHead(302, { location: '/elsewhere' }).end();
}

/** Why a receiver would refuse the request; null when it would not. */
function faultOf(headers: IncomingHttpHeaders, body: Buffer, secret: string, at: number): string | null {
  const [id, timestamp, signature, plain] = [
    'webhook-id',
    'webhook-timestamp',
    'webhook-signature',
    'x-service-signature',
  ].map((name) => String(headers[name]));
  const standard = createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(body).digest('base64');
  if (signature !== `v1,${standard}`) return `${id}: webhook-signature is wrong`;
  const expected = createHmac('sha256', secret).update(body).digest('hex');
  if (plain !== expected) return `${id}: X-Service-Signature is wrong`;
  return Math.abs(at / 1_000 - Number(timestamp)) < FRESH ? null : `${id}: webhook-timestamp is ${timestamp}`;
}
