import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts } from '../../proof/crash/free-ports';
import { Keyring } from '../../domain/keyring';
import { verpLocalPart } from '../../domain/messages/message-tokens';
import { sendMail } from '../smtp/reports/smtp-client';
import { Pieces } from '../support/pieces';
import { Caller, temporaryDir } from '../support/running';
import { readFirstRun, Service } from '../support/service';
import * as hostile from './hostile-inputs';

/** The longest that anybody may wait for one input, ms of processor time. */
const LONGEST_PIECE = 50;
const HOOK_SECRET = 'a-secret-of-the-hook';

const dataDir = temporaryDir();
const pieces = new Pieces(join(dataDir, 'pieces.json'));
let service: Service;
let api: Caller;
let domainId: number;
let bouncePort: number;
let bounceAddress: string;

beforeAll(async () => {
  [bouncePort = 0] = await freePorts(1);
  const env = { KURIR_BOUNCE_PORT: String(bouncePort), KURIR_HOOK_SECRET: HOOK_SECRET, KURIR_DEMO: 'true' };
  service = await Service.start(dataDir, { ...env, ...pieces.env });
  const demo = readFirstRun(dataDir);
  api = new Caller(demo.base_url, demo.api_key);
  domainId = demo.sending_domain_id;
  const id = await api.send('silent@a.test', domainId);
  const keyring = new Keyring(readFileSync(join(dataDir, 'secret'), 'utf8').trim());
  bounceAddress = `${verpLocalPart(keyring, id)}@bounce.demo.kurir.test`;
  // What runs for the first time is compiled, which everybody waits for once, whatever the input.
  await api.get('/account');
  await mail(hostile.plainBounce(), bounceAddress);
  await api.request('POST', '/messages/batch', hostile.batch(domainId, 3, 100));
});
afterAll(async () => {
  await service.kill();
  rmSync(dataDir, { recursive: true, force: true });
});

const mail = async (raw: Buffer, to: string): Promise<number> =>
  (await sendMail(bouncePort, { from: false, to }, raw)).code;

/** Posts bytes as they are; returns the status. */
async function post(url: string, body: Buffer, headers: Record<string, string> = {}): Promise<number> {
  const authorization = `Bearer ${api.key}`;
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json', ...headers },
    body,
  });
  await response.text();
  return response.status;
}

const messages = (body: Buffer, headers?: Record<string, string>): Promise<number> =>
  post(`${api.baseUrl}/messages`, body, headers);
const hook = (body: Buffer): Promise<number> =>
  post(`${new URL(api.baseUrl).origin}/hooks/mta`, body, { authorization: `Bearer ${HOOK_SECRET}` });

/** Asks for the account again and again until the work is done. */
async function beside<T>(work: Promise<T>): Promise<T> {
  const state = { isDone: false };
  const done = work.finally(() => (state.isDone = true));
  while (!state.isDone) {
    expect((await api.get('/account')).status).toBe(200);
    await Promise.race([done, sleep(5)]);
  }
  return done;
}

const several = <T>(count: number, work: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, work));

const FEEDBACK = 'feedback@bounce.demo.kurir.test';
const BROTLI = { 'content-encoding': 'br' };

/** Each with the statuses that it may be answered. */
const INPUTS: readonly (readonly [string, readonly number[], () => Promise<number | number[]>])[] = [
  ['a report about thousands of recipients to feedback@', [250], () => mail(hostile.manyGroups(98_000), FEEDBACK)],
  ['ten such reports at once', [250], () => several(10, () => mail(hostile.manyGroups(232_000), FEEDBACK))],
  ['ten such to a bounce address', [250], () => several(10, () => mail(hostile.manyGroups(232_000), bounceAddress))],
  ['ten complaints full of marks', [250], () => several(10, () => mail(hostile.manyMarks(232_000), FEEDBACK))],
  ...hostile.PROSE.map(
    ([title, raw]) =>
      [`ten bounces in prose of ${title}`, [250], () => several(10, () => mail(raw(), bounceAddress))] as const,
  ),
  ['a batch of 480 messages of 39 kB', [200], () => batchOf(480, 39_000)],
  ['a batch of 500 refused messages', [200], () => batchOf(500, 0)],
  ['15 MB of empty lists', [400], () => messages(hostile.lists(15_000_000, ''))],
  ['15 MB of empty lists as metadata', [400], () => messages(hostile.lists(15_000_000))],
  ['15 MB of empty lists in a batch', [400], () => batch(hostile.lists(15_000_000, '{"messages":'))],
  ['4 MB of empty lists for the hook of a sending server', [400], () => hook(hostile.lists(3_900_000, ''))],
  ['4 MB of records for the hook of a sending server', [200], () => hook(hostile.hookRecords(3_900_000))],
  ['a brotli bomb', [413], () => messages(hostile.bomb('br'), BROTLI)],
  ['five brotli bombs', [413, 503], () => several(5, () => messages(hostile.bomb('br'), BROTLI))],
  ['a gzip bomb', [413], () => messages(hostile.bomb('gzip'), { 'content-encoding': 'gzip' })],
];

const batch = (body: Buffer): Promise<number> => post(`${api.baseUrl}/messages/batch`, body);
const batchOf = (count: number, size: number): Promise<number> =>
  batch(Buffer.from(JSON.stringify(hostile.batch(domainId, count, size))));

/** What an input does, it does each time; what the machine does, it does once. */
const TRIES = 3;

(Pieces.isPossible ? describe : describe.skip)('Nobody waits longer than 50 ms of processor time for', () => {
  it.each(INPUTS)('%s', async (_title, expected, send) => {
    let longest = Infinity;
    for (let n = 0; n < TRIES && longest >= LONGEST_PIECE; n++) {
      await pieces.longest(service);
      const statuses = [await beside(send())].flat();
      longest = await pieces.longest(service);
      for (const status of statuses) expect(expected).toContain(status);
    }
    expect(longest).toBeLessThan(LONGEST_PIECE);
  });
});
