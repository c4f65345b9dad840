import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Health } from '../../../app/core/health';
import { Running } from '../../support/running';
import { rawRequest } from '../../support/raw-http';

const READY = { ready: true, degraded: false, not_ready: [], degraded_by: [] };
const unready = (why: object[]): object => ({ ...READY, ready: false, not_ready: why });

const listening: Server[] = [];
afterAll(() => listening.forEach((server) => server.close()));

async function serve(health: Health, trustedHops = 0): Promise<string> {
  const server = createServer(health.serve((_req, res) => res.writeHead(418).end(), trustedHops));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  listening.push(server);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('the health of a process', () => {
  it('GET /healthz answers 200 from the first moment, and any other path is handed on', async () => {
    const base = await serve(new Health());
    const alive = await fetch(`${base}/healthz?x=1`);
    expect([alive.status, await alive.json()]).toEqual([200, { status: 'ok' }]);
    expect((await fetch(`${base}/healthz/x`)).status).toBe(418);
    expect((await fetch(`${base}/readyz`, { method: 'POST' })).status).toBe(405);
  });

  it('GET /readyz answers 503 while it starts, with what it waits for, and while it stops', async () => {
    const health = new Health();
    const base = await serve(health);
    const read = async () => {
      const answer = await fetch(`${base}/readyz`);
      return [answer.status, await answer.json()];
    };
    health.waitsFor('kafka', 'Kafka is away');
    const waiting = [
      { name: 'service', reason: 'starting' },
      { name: 'kafka', reason: 'Kafka is away' },
    ];
    expect(await read()).toEqual([503, unready(waiting)]);
    health.waitsFor('kafka', null);
    health.running();
    expect(await read()).toEqual([200, READY]);
    health.stopping();
    expect(await read()).toEqual([503, unready([{ name: 'service', reason: 'stopping' }])]);
  });

  it('reports work that fails with the log as a failure of the log, and other work as one of the store', () => {
    const health = new Health();
    const { store, log } = health.failing;
    const [ofLog, ofStore] = [new Error('no broker answers'), new Error('no index')];
    log.failed('publishing records', ofLog);
    health.work.failed('due work conversion', ofLog);
    health.work.failed('due work campaigns', ofStore);
    expect([store.knows(ofLog), store.knows(ofStore), log.knows(ofStore)]).toEqual([false, true, false]);
  });

  it('names everything that is not ready with its reason, an error among them', async () => {
    const health = new Health();
    const base = await serve(health);
    health.watch('store', async () => null);
    health.watch('log', () => Promise.reject(new Error('no broker answers')));
    health.watch('process', async () => 'its lease has ended');
    health.running();
    const answer = await fetch(`${base}/readyz`);
    expect(await answer.json()).toEqual(
      unready([
        { name: 'log', reason: 'no broker answers' },
        { name: 'process', reason: 'its lease has ended' },
      ]),
    );
  });

  it('without what is only missed it is ready, 200, and tells that it is degraded and by what', async () => {
    const health = new Health();
    const base = await serve(health);
    health.watch('store', async () => null);
    health.watch('redis', async () => 'Redis does not answer', 'missed');
    health.running();
    const answer = await fetch(`${base}/readyz`);
    const degradedBy = [{ name: 'redis', reason: 'Redis does not answer' }];
    expect([answer.status, await answer.json()]).toEqual([200, { ...READY, degraded: true, degraded_by: degradedBy }]);
  });
});

describe('who is shown the reasons', () => {
  const troubled = (): Health => {
    const health = new Health();
    health.watch('store', async () => 'MongoDB at 10.0.0.7 does not answer');
    health.watch('redis', async () => 'Redis does not answer', 'missed');
    health.running();
    return health;
  };
  const STRANGER = { ready: false, degraded: true };

  // spec: docs/contract.md#start-page: reasons of `/readyz` for this machine only
  it.each([
    ['x-forwarded-for', '203.0.113.9'],
    ['x-forwarded-for', '127.0.0.1'],
    ['x-real-ip', '203.0.113.9'],
    ['forwarded', 'for=203.0.113.9'],
    ['via', '1.1 proxy'],
  ])('a visitor behind a proxy of this machine is a stranger: %s: %s', async (name, value) => {
    const base = await serve(troubled());
    const answer = await fetch(`${base}/readyz`, { headers: { [name]: value } });
    expect([answer.status, await answer.json()]).toEqual([503, STRANGER]);
    const local = await fetch(`${base}/readyz`);
    expect(await local.json()).toMatchObject({ not_ready: [{ reason: 'MongoDB at 10.0.0.7 does not answer' }] });
  });

  it('behind a trusted proxy, the address that it saw decides', async () => {
    const base = await serve(troubled(), 1);
    const ask = async (from: string): Promise<unknown> =>
      (await fetch(`${base}/readyz`, { headers: { 'x-forwarded-for': from } })).json();
    expect(await ask('127.0.0.1, 203.0.113.9')).toEqual(STRANGER);
    expect(await ask('203.0.113.9, ::1')).toMatchObject({ degraded_by: [{ name: 'redis' }] });
  });

  it('a request in HTTP/1.0 is one of a proxy', async () => {
    const port = Number(new URL(await serve(troubled())).port);
    const { body } = await rawRequest(port, ['GET /readyz HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n']);
    expect(JSON.parse(body)).toEqual(STRANGER);
  });
});

describe('a running service', () => {
  let running: Running;
  beforeAll(async () => {
    running = await Running.start();
  });
  afterAll(() => running.stop());

  it('answers for its health under any host name and without counting requests', async () => {
    const base = running.kurir.baseUrl.replace(/\/v1$/, '');
    const port = Number(new URL(base).port);
    for (const path of ['/healthz', '/readyz']) {
      const answer = await rawRequest(port, [`GET ${path} HTTP/1.1\r\nHost: 10.1.2.3\r\nConnection: close\r\n\r\n`]);
      expect(answer.status).toBe(200);
      expect(Object.keys(answer.headers).join()).not.toMatch(/ratelimit/i);
    }
  });
});
