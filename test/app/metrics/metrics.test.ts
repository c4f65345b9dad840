import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { once } from 'node:events';
import { createServer, Server, type AddressInfo } from 'node:net';
import pino from 'pino';
import { freePorts } from '../../../proof/crash/free-ports';
import { Metrics } from '../../../app/metrics/metrics';
import { Health } from '../../../app/core/health';
import { metricsPart } from '../../../app/metrics/metrics-part';
import { ROLES } from '../../../operations/config/roles';
import { DEFAULT_PARTITIONS } from '../../../streams/partitions';
import { eventually } from '../../contract/helpers';
import { describeOnEngines } from '../../support/engines';
import { Running } from '../../support/running';
import { samplesOf } from './samples';

const read = async (port: number, path = '/metrics', init: RequestInit = {}): Promise<Response> =>
  fetch(`http://127.0.0.1:${port}${path}`, init);

describeOnEngines('/metrics of a service that sends', (install) => {
  let running: Running;
  let port: number;
  beforeAll(async () => {
    [port = 0] = await freePorts(1);
    running = await Running.startOn(install(), { KURIR_METRICS_PORT: String(port) });
    const sent = ['delivered@a.test', 'hardbounce@b.test', 'delivered@c.test'].map((to) => running.send(to));
    const [delivered = '', bounced = ''] = await Promise.all(sent);
    await running.untilStatus(delivered, 'delivered');
    await running.untilStatus(bounced, 'bounced');
    await running.coinsOf(bounced, -5);
  });
  afterAll(() => running.stop());

  const samples = async () => samplesOf(await (await read(port)).text());

  it('counts what was accepted, claimed, handed over and became final, and the coins', async () => {
    await eventually(async () => {
      const found = await samples();
      expect(found.get('kurir_messages_accepted_total{channel="api",lane="transactional"}')).toBe(3);
      expect(found.get('kurir_messages_claimed_total{lane="transactional"}')).toBe(3);
      expect(found.get('kurir_hand_offs_total{outcome="sent"}')).toBe(3);
      expect(found.get('kurir_message_outcomes_total{status="delivered",lane="transactional"}')).toBe(2);
      expect(found.get('kurir_message_outcomes_total{status="bounced",lane="transactional"}')).toBe(1);
      expect(found.get('kurir_refusals_total{class="address_unknown"}')).toBe(1);
      expect(found.get('kurir_coins_total{kind="debit"}')).toBe(3);
      expect(found.get('kurir_coins_total{kind="penalty"}')).toBe(4);
      expect(found.get('kurir_records_total{group="dispatch",result="done"}')).toBe(3);
    });
  });

  it('has waits and latencies as histograms, in seconds', async () => {
    const found = await samples();
    for (const name of ['claim_wait', 'hand_over_wait'])
      expect(found.get(`kurir_${name}_seconds_count{lane="transactional"}`)).toBe(3);
    for (const name of ['report_wait', 'hand_off', 'accept'])
      expect([name, found.get(`kurir_${name}_seconds_count`)]).toEqual([name, 3]);
    expect(found.get('kurir_hand_off_seconds_sum')).toBeLessThan(60);
    expect(found.get('kurir_http_request_seconds_count{resource="messages",method="POST",status="2xx"}')).toBe(3);
  });

  it('has queues, lag, leases, dead letters and due work as they are', async () => {
    await eventually(async () => {
      const found = await samples();
      for (const name of [
        ...['kurir_queue_due_messages{lane="transactional"}', 'kurir_queue_oldest_due_seconds{lane="campaign"}'],
        ...['kurir_queue_later_messages{lane="journey"}', 'kurir_claimed_messages', 'kurir_awaiting_report_messages'],
        ...['kurir_outbox_writes', 'kurir_dead_letters', 'kurir_due_tasks{kind="webhook"}'],
        ...['kurir_given_up_tasks{kind="webhook"}', 'kurir_consumer_lag_records{group="dispatch"}'],
        ...['kurir_scrape_failures_total{source="queue"}', 'kurir_scrape_failures_total{source="log"}'],
      ])
        expect([name, found.get(name)]).toEqual([name, 0]);
      const shards = running.kurir.services.config.engine === 'cluster' ? DEFAULT_PARTITIONS : 1;
      expect(found.get('kurir_shard_leases_held')).toBe(shards);
      expect(found.get('kurir_process_lease_held')).toBe(1);
      expect(found.get('kurir_role{role="dispatch"}')).toBe(1);
      expect(found.get('kurir_event_loop_delay_seconds{quantile="0.99"}')).toBeLessThan(30);
    });
  });

  it('names no address, no workspace and no id, whatever was asked for', async () => {
    await fetch(`${running.kurir.baseUrl}/siti@contoh.test?to=siti@contoh.test`);
    await fetch(`${running.kurir.baseUrl}/messages/0198c0de-0000-7000-8000-000000000000`, { method: 'PUT' });
    const text = await (await read(port)).text();
    expect(text).not.toMatch(/@|contoh|0198c0de|workspace="/);
    expect(text).toContain('kurir_http_request_seconds_count{resource="other",method="GET",status="4xx"} 1');
    // The number of series has a bound that traffic does not move.
    expect(text.split('\n').filter((line) => line && !line.startsWith('#')).length).toBeLessThan(700);
  });

  it('is at its path and port only, for GET and HEAD', async () => {
    const answer = await read(port);
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect((await read(port, '/metrics', { method: 'HEAD' })).status).toBe(200);
    expect((await read(port, '/metrics', { method: 'POST' })).status).toBe(405);
    expect((await read(port, '/')).status).toBe(404);
    expect((await fetch(new URL('/metrics', running.kurir.baseUrl))).status).toBe(404);
  });

  it('follows the conventions for names', async () => {
    const text = await (await read(port)).text();
    const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type] as const);
    expect(types.length).toBeGreaterThan(30);
    for (const [name, type] of types) {
      expect([name, type === 'counter']).toEqual([name, name.endsWith('_total')]);
      if (type === 'histogram') expect(name).toMatch(/_seconds$/);
      expect(name).toMatch(/^(kurir|process|nodejs)_[a-z_]+$/);
    }
  });
});

describe('the port of the metrics', () => {
  it('is off with 0', async () => {
    const running = await Running.start();
    expect(running.kurir.services.metrics).toBeNull();
    await running.stop();
  });

  it('that is taken keeps no mail waiting: the log says so, and it is taken as soon as it is free', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const lines: string[] = [];
    const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
    const ports: number[] = [];
    const part = metricsPart(new Metrics({ engine: 'embedded', roles: [...ROLES] }), {
      config: { httpHost: '127.0.0.1', metricsPort: port },
      logger,
      health: new Health(),
      onListen: (bound) => void ports.push(bound),
      tryEvery: 20,
    });
    const listen = jest.spyOn(Server.prototype, 'listen');
    await part.start();
    expect(lines.join('')).toContain(`port ${port} (metrics) is in use`);
    // A few tries later the server has no more listeners than at the first.
    await eventually(async () => expect(listen.mock.calls.length).toBeGreaterThan(5));
    expect((listen.mock.contexts[0] as Server).listenerCount('listening')).toBeLessThanOrEqual(1);
    listen.mockRestore();
    expect(ports).toEqual([]);
    other.close();
    await eventually(async () => expect(ports).toEqual([port]));
    expect(lines).toHaveLength(2);
    expect((await read(port)).status).toBe(200);
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`, { headers: { 'x-forwarded-for': '203.0.113.9' } });
    expect([ready.status, await ready.json()]).toMatchObject([503, { not_ready: [{ name: 'service' }] }]);
    await part.stop();
  });

  it('that may not be used ends the start, with the name of the setting', async () => {
    const part = metricsPart(new Metrics({ engine: 'embedded', roles: [] }), {
      config: { httpHost: '192.0.2.1', metricsPort: 9_464 },
      logger: pino({ level: 'silent' }),
      health: new Health(),
      onListen: () => undefined,
    });
    await expect(part.start()).rejects.toThrow(/KURIR_METRICS_PORT/);
    await part.stop();
  });
});
