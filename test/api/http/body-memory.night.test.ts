import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { request, type ClientRequest, type IncomingHttpHeaders } from 'node:http';
import { gzipSync } from 'node:zlib';
import { SMALL_BODY } from '../../../api/http/body-memory';
import { aMail, TestApi, type Account } from '../../support/test-api';

/** Half of it is for bodies being read: room for one large one. */
const MEMORY = 600_000;
const LARGE = 200_000;

let api: TestApi;
let account: Account;
beforeEach(async () => {
  api = await TestApi.open({ bodyMemory: MEMORY });
  account = await api.account();
});
afterEach(() => api.close());

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: { code?: string; message?: string };
}

/** A request whose body is sent by the test. */
function open(headers: Record<string, string | number>): { req: ClientRequest; answer: Promise<Answer> } {
  const req = request({
    port: api.port,
    path: '/v1/messages',
    method: 'POST',
    agent: false,
    headers: { Authorization: `Bearer ${account.key}`, 'Content-Type': 'application/json', ...headers },
  });
  const answer = new Promise<Answer>((resolve, reject) => {
    req.on('error', reject).on('response', (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('end', () =>
        resolve({ status: res.statusCode!, headers: res.headers, body: JSON.parse(Buffer.concat(chunks).toString()) }),
      );
    });
  });
  // Some tests cut their own request off.
  answer.catch(() => undefined);
  req.flushHeaders();
  return { req, answer };
}

const mailOf = (bytes: number): string => {
  const mail = { ...aMail(account.domain), html: 'x' };
  return JSON.stringify({ ...mail, html: 'x'.repeat(bytes - JSON.stringify(mail).length + 1) });
};

/** A request that declares a large body and sends only its beginning. */
async function slow(): Promise<ClientRequest> {
  const { req } = open({ 'Content-Length': LARGE });
  req.write('{');
  // The server has read its head once a later request is answered.
  await api.get('/v1/account', account.key);
  return req;
}

const expectBusy = ({ status, headers, body }: Answer): void => {
  expect(status).toBe(503);
  expect(body).toEqual({ code: 'busy', message: expect.stringContaining('busy with other large requests') });
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  expect(headers).toHaveProperty('x-ratelimit-limit');
  expect(headers).toHaveProperty('x-ratelimit-remaining');
};

describe('Memory for request bodies', () => {
  // spec: docs/contract.md#error-statuses: 503: busy with other large requests, with Retry-After
  test('503: a declared body that finds no room is refused before it is read', async () => {
    const first = await slow();
    const { req, answer } = open({ 'Content-Length': LARGE });
    expectBusy(await answer);
    req.destroy();
    first.destroy();
  });

  test('201: it waits a short time for the others, and small ones pass meanwhile', async () => {
    const first = await slow();
    const { req, answer } = open({ 'Content-Length': LARGE });
    req.end(mailOf(LARGE));
    const small = open({ 'Content-Length': SMALL_BODY });
    small.req.end(mailOf(SMALL_BODY));
    expect((await small.answer).status).toBe(201);
    first.destroy();
    expect((await answer).status).toBe(201);
  });

  test('201: another workspace is not held by large requests of one that do not end', async () => {
    await api.close();
    api = await TestApi.open({ bodyMemory: 4 * MEMORY });
    account = await api.account();
    const uploads = Array.from({ length: 12 }, () => open({ 'Content-Length': 2 * LARGE }));
    for (const { req } of uploads) req.write('{');
    await api.get('/v1/account', account.key);
    account = await api.account();
    const { req, answer } = open({ 'Content-Length': 2 * LARGE });
    req.end(mailOf(2 * LARGE));
    expect((await answer).status).toBe(201);
    for (const upload of uploads) upload.req.destroy();
  });

  test('503: a chunked body that grows beyond the room there is', async () => {
    const first = await slow();
    const { req, answer } = open({ 'Transfer-Encoding': 'chunked' });
    req.end(mailOf(LARGE));
    expectBusy(await answer);
    first.destroy();
  });

  test('503: a compressed body that grows beyond the room there is', async () => {
    const first = await slow();
    const { req, answer } = open({ 'Content-Encoding': 'gzip' });
    req.end(gzipSync(mailOf(LARGE)));
    expectBusy(await answer);
    first.destroy();
  });

  test('201: memory comes back from every request, whatever became of it', async () => {
    for (const body of [mailOf(LARGE), 'x'.repeat(LARGE)]) {
      const { req, answer } = open({ 'Content-Length': LARGE });
      req.end(body);
      expect([201, 400]).toContain((await answer).status);
      (await slow()).destroy();
      const chunked = open({ 'Transfer-Encoding': 'chunked' });
      chunked.req.end(mailOf(LARGE));
      expect((await chunked.answer).status).toBe(201);
    }
  });

  test('201: a body larger than all of the memory passes alone', async () => {
    const { req, answer } = open({ 'Content-Length': 2 * MEMORY });
    req.end(`${mailOf(LARGE)}${' '.repeat(2 * MEMORY - LARGE)}`);
    expect((await answer).status).toBe(201);
  });

  test('408: a body that never ends gives its memory back with the time limit of requests', async () => {
    api.server.requestTimeout = 1_000;
    const cut = open({ 'Content-Length': LARGE });
    cut.req.write('{');
    expect((await cut.answer).status).toBe(408);
    const next = open({ 'Content-Length': LARGE });
    next.req.end(mailOf(LARGE));
    expect((await next.answer).status).toBe(201);
  });
});
