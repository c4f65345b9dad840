import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync, statSync } from 'node:fs';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { readConfig } from '../../../operations/config/config';
import { controlOf, type Control } from '../../../operations/time-travel/control-client';
import type { Progress } from '../../../operations/time-travel/protocol';
import { DAY, HOUR, MINUTE } from '../../../lib/clock';
import { frozenClock } from '../../support/clock';
import { Running, testEnv } from '../../support/running';
import { PATIENCE } from '../../support/limits';

let running: Running;
let url: URL;
let token: string;
let control: Control;
beforeAll(async () => {
  running = await Running.start({}, frozenClock());
  const text = readFileSync(join(running.dataDir, 'control.json'), 'utf8');
  const address = (JSON.parse(text) as { control: { url: string; token: string } }).control;
  url = new URL(address.url);
  token = address.token;
  control = controlOf(readConfig(testEnv(running.dataDir)));
});
afterAll(() => running.stop());

interface Asking {
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  body?: string;
  host?: string;
}

/** One request, as it stands; answers the status and what came back. */
async function ask(asking: Asking): Promise<{ status: number; text: string }> {
  const { method = 'POST', path = '/clock/advance', headers = {}, body = '{"ms":60000}', host = url.host } = asking;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(url, { method, path, headers: { host, ...headers } }, resolve);
    sent.once('error', reject);
    sent.end(method === 'POST' ? body : undefined);
  });
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  return { status: response.statusCode!, text };
}

const bearer = (): Record<string, string> => ({ authorization: `Bearer ${token}` });

describe('the interface of the command line', () => {
  it('is on loopback, and its token in a file of the owner alone', () => {
    expect(url.hostname).toBe('127.0.0.1');
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    expect(statSync(join(running.dataDir, 'control.json')).mode & 0o777).toBe(0o600);
  });

  it('is no part of the public port, not even with the token', async () => {
    const base = new URL(running.kurir.baseUrl);
    for (const path of ['/clock/advance', '/v1/clock/advance', '/sandbox/clock/advance']) {
      const response = await fetch(new URL(path, base), { method: 'POST', headers: bearer(), body: '{"ms":60000}' });
      expect(response.status).toBeGreaterThanOrEqual(400);
    }
  });

  it.each<[string, () => Asking, number]>([
    ['no token', () => ({}), 401],
    ['a wrong token', () => ({ headers: { authorization: `Bearer ${'x'.repeat(token.length)}` } }), 401],
    ['a part of the token', () => ({ headers: { authorization: `Bearer ${token.slice(0, -1)}` } }), 401],
    ['another scheme', () => ({ headers: { authorization: `Basic ${token}` } }), 401],
    ['an API key', () => ({ headers: { authorization: `Bearer ${running.demo.api_key}` } }), 401],
    ['the origin of a page', () => ({ headers: { ...bearer(), origin: 'https://evil.example' } }), 403],
    ['the origin of our own pages', () => ({ headers: { ...bearer(), origin: `http://${url.host}` } }), 403],
    ['the mark of a browser', () => ({ headers: { ...bearer(), 'sec-fetch-site': 'same-origin' } }), 403],
    ['a host name that was rebound', () => ({ headers: bearer(), host: `evil.example:${url.port}` }), 403],
    ['the name localhost', () => ({ headers: bearer(), host: `localhost:${url.port}` }), 403],
    ['another path', () => ({ headers: bearer(), path: '/clock' }), 404],
    ['another method', () => ({ headers: bearer(), method: 'GET' }), 405],
    ['the preflight of a browser', () => ({ headers: { origin: 'https://evil.example' }, method: 'OPTIONS' }), 403],
    ['no JSON', () => ({ headers: bearer(), body: 'ms=60000' }), 422],
    ['a text for the number', () => ({ headers: bearer(), body: '{"ms":"60000"}' }), 422],
    ['a fraction', () => ({ headers: bearer(), body: '{"ms":0.5}' }), 422],
    ['null', () => ({ headers: bearer(), body: 'null' }), 422],
    ['a body without end', () => ({ headers: bearer(), body: '{'.repeat(100_000) }), 422],
    ['a time that is not positive', () => ({ headers: bearer(), body: '{"ms":-60000}' }), 422],
    ['a time of more than ten years', () => ({ headers: bearer(), body: `{"ms":${3_654 * DAY}}` }), 422],
  ])('refuses %s, and the clock stays where it is', async (_what, asking, status) => {
    const before = running.clock.now();
    const answer = await ask(asking());
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.text)).toEqual({ message: expect.any(String) as unknown });
    expect(answer.text).not.toContain(token);
    expect(running.clock.now()).toBe(before);
  });

  it('moves the clock for who has the token, and answers in lines of JSON, the last of which says how it ended', async () => {
    const before = running.clock.now();
    const { status, text } = await ask({ headers: bearer() });
    expect(status).toBe(200);
    const last = JSON.parse(text.trim().split('\n').at(-1)!) as unknown;
    expect(last).toEqual({ done: { at: before + MINUTE, moved: MINUTE, whole: MINUTE, steps: 1, stopped: false } });
    expect(running.clock.now()).toBe(before + MINUTE);
  });

  it('tells where a long advance is, and stops it when the caller hangs up', async () => {
    const ids = await Promise.all(Array.from({ length: 40 }, (_, i) => running.send(`defer+${i}@lama.test`)));
    const start = running.clock.now();
    const sent = request(url, { method: 'POST', path: '/clock/advance', headers: bearer() });
    sent.on('error', () => undefined);
    const answered = new Promise<IncomingMessage>((resolve) => sent.once('response', resolve));
    sent.end(JSON.stringify({ ms: 3 * DAY }));
    const response = await answered;
    const [line] = (await once(response, 'data')) as [Buffer];
    expect(JSON.parse(line.toString())).toEqual({
      progress: {
        at: expect.any(Number) as unknown,
        moved: expect.any(Number) as unknown,
        whole: 3 * DAY,
        steps: expect.any(Number) as unknown,
      },
    });
    response.destroy();
    while (running.kurir.travel!.progress) await new Promise(setImmediate);
    expect(running.clock.now()).toBeLessThan(start + 3 * DAY);
    for (const id of ids) expect((await running.stores.messages.get(id))!.status).toBe('queued');
  });

  it('the client of the command line sees progress, and stops it by its signal', async () => {
    const seen: Progress[] = [];
    const stop = new AbortController();
    const onProgress = (progress: Progress): void => {
      seen.push(progress);
      stop.abort();
    };
    const done = await control.advance(3 * DAY, onProgress, stop.signal);
    expect(done.stopped).toBe(true);
    expect(seen.length).toBeGreaterThan(0);
    expect(seen[0]!.at).toBeLessThanOrEqual(done.at);
    expect(done.whole - done.moved).toBeGreaterThan(HOUR);
  });

  it('closes with the service, which ends an advance under way, and its file goes', async () => {
    const own = await Running.start({}, frozenClock());
    await Promise.all(Array.from({ length: 40 }, (_, i) => own.send(`defer+${i}@lama.test`)));
    const mine = controlOf(readConfig(testEnv(own.dataDir)));
    let stopped: Promise<void> | null = null;
    const travel = mine.advance(3 * DAY, () => void (stopped ??= own.stop()), new AbortController().signal);
    await expect(travel).rejects.toThrow('The service is stopping; its clock does not move.');
    await Promise.resolve(stopped);
    expect(() => controlOf(readConfig(testEnv(own.dataDir)))).toThrow('No service is running');
    await expect(mine.advance(HOUR, () => undefined, AbortSignal.timeout(PATIENCE))).rejects.toThrow(
      'No service is running',
    );
  });
});
