import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { KurirClient, KurirError, type ClientOptions } from '../../clients/typescript/src/client';
import { verifyWebhook, WebhookError } from '../../clients/typescript/src/webhooks';
import { signedHeaders } from '../../operations/webhooks/client/sign';
import { Running } from '../support/running';

interface Json<B> {
  content: { 'application/json': B };
}
/** A part of the API, in the form that openapi-typescript gives it. */
interface Paths {
  '/messages': {
    get: { parameters: { query?: { page?: number } }; responses: { 200: Json<{ data: { message_id: string }[] }> } };
    post: { requestBody: Json<object>; responses: { 200: Json<Accepted>; 201: Json<Accepted> } };
  };
  '/messages/{id}': { get: { parameters: { path: { id: string } }; responses: { 200: Json<{ status: string }> } } };
  '/audiences': { post: { requestBody: Json<{ name: string }>; responses: { 201: Json<{ id: number }> } } };
  '/contacts/{id}': { delete: { parameters: { path: { id: number } }; responses: { 200: Json<object> } } };
}
interface Accepted {
  message_id: string;
  status: string;
}

interface Sent {
  url: string;
  method: string;
  key: string | undefined;
}

/** A client whose service gives these answers in turn, and what it was asked and how long it waited. */
function scripted(answers: readonly (Response | Error)[], options: Partial<ClientOptions> = {}) {
  const sent: Sent[] = [];
  const waits: number[] = [];
  const client = new KurirClient<Paths>({
    baseUrl: 'https://mail.example/v1/',
    apiKey: 'kurir_sk_x',
    fetch: async (input, init) => {
      const headers = new Headers(init?.headers);
      sent.push({
        url: input instanceof Request ? input.url : input.toString(),
        method: init?.method ?? '',
        key: headers.get('idempotency-key') ?? undefined,
      });
      const answer = answers[sent.length - 1] ?? new Error('no more answers');
      if (answer instanceof Error) throw answer;
      return answer;
    },
    sleep: async (ms) => void waits.push(ms),
    ...options,
  });
  return { client, sent, waits };
}

const json = (status: number, body: object, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers });
const accepted = (): Response => json(201, { message_id: 'm', status: 'queued' });
const lost = (): Error => new TypeError('fetch failed');

describe('the TypeScript client', () => {
  it('gives each message a key, and keeps it when it tries again after a lost connection', async () => {
    const { client, sent, waits } = scripted([lost(), json(500, {}), accepted(), accepted()]);
    expect(await client.post('/messages', { body: {} })).toEqual({ message_id: 'm', status: 'queued' });
    const keys = sent.map(({ key }) => key);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(keys).size).toBe(1);
    expect(waits).toHaveLength(2);
    expect(waits.every((ms) => ms >= 250 && ms <= 1_000)).toBe(true);
    await client.post('/messages', { body: {}, idempotencyKey: 'order-1042' });
    expect(sent.at(-1)?.key).toBe('order-1042');
  });

  it('waits as long as the answer asks for, for any request, since nothing was taken', async () => {
    const { client, sent, waits } = scripted([
      json(429, {}, { 'retry-after': '7' }),
      json(503, {}, { 'retry-after': '1' }),
      json(201, { id: 5 }),
    ]);
    expect(await client.post('/audiences', { body: { name: 'A' } })).toEqual({ id: 5 });
    expect(sent.map(({ key }) => key)).toEqual([undefined, undefined, undefined]);
    expect(waits.map((ms) => Math.floor(ms / 1_000))).toEqual([7, 1]);
  });

  it('does not repeat what may have been done, and repeats reads and deletions', async () => {
    const once = scripted([lost(), json(201, {})]);
    await expect(once.client.post('/audiences', { body: { name: 'A' } })).rejects.toMatchObject({
      status: 0,
      code: null,
    });
    expect(once.sent).toHaveLength(1);
    const again = scripted([lost(), json(200, {}), json(502, {}), json(200, { data: [] })]);
    await again.client.delete('/contacts/{id}', { path: { id: 3 } });
    await again.client.get('/messages', { query: { page: 2 } });
    expect(again.sent.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'DELETE https://mail.example/v1/contacts/3',
      'DELETE https://mail.example/v1/contacts/3',
      'GET https://mail.example/v1/messages?page=2',
      'GET https://mail.example/v1/messages?page=2',
    ]);
  });

  it('gives up after the last try, at once for a refusal, and when it should wait too long', async () => {
    const busy = scripted([json(503, {}), json(503, {}), json(503, {})], { retries: 2 });
    await expect(busy.client.get('/messages')).rejects.toMatchObject({ status: 503 });
    expect(busy.sent).toHaveLength(3);
    const refused = scripted([
      json(422, { message: 'No.', code: 'validation_failed', errors: { to: ['Wrong.'] } }, { 'x-request-id': 'r1' }),
    ]);
    const error = await refused.client.post('/messages', { body: {} }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(KurirError);
    expect(error).toMatchObject({
      status: 422,
      code: 'validation_failed',
      message: 'No.',
      errors: { to: ['Wrong.'] },
      requestId: 'r1',
    });
    const late = scripted([json(429, {}, { 'retry-after': '3600' })]);
    await expect(late.client.get('/messages')).rejects.toMatchObject({ status: 429 });
    expect([late.sent.length, late.waits]).toEqual([1, []]);
  });

  it('stops when its caller does', async () => {
    const ending = new AbortController();
    const { client, sent } = scripted([lost(), lost()], { sleep: async () => ending.abort() });
    await expect(client.get('/messages', { signal: ending.signal })).rejects.toMatchObject({ status: 0 });
    expect(sent).toHaveLength(2);
  });

  it('understands an answer that is not from the API', async () => {
    const { client } = scripted([new Response('<html>Bad Gateway</html>', { status: 413 })]);
    await expect(client.get('/messages/{id}', { path: { id: 'a/b' } })).rejects.toMatchObject({
      message: 'The service responded with 413.',
      code: null,
    });
  });
});

describe('the TypeScript client on the running service', () => {
  let running: Running;
  let client: KurirClient<Paths>;
  beforeAll(async () => {
    running = await Running.start();
    client = new KurirClient<Paths>({ baseUrl: running.kurir.baseUrl, apiKey: running.demo.api_key });
  });
  afterAll(() => running.stop());
  const mail = { to: 'delivered@example.test', subject: 'Halo', html: '<p>Halo</p>' };

  it('sends a message once for a key, reads it, lists it, and tells why one was refused', async () => {
    const body = { ...mail, sending_domain_id: running.demo.sending_domain_id };
    const { message_id: id } = await client.post('/messages', { body, idempotencyKey: 'order-1042' });
    expect((await client.post('/messages', { body, idempotencyKey: 'order-1042' })).message_id).toBe(id);
    await running.untilStatus(id, 'delivered');
    expect((await client.get('/messages/{id}', { path: { id } })).status).toBe('delivered');
    expect((await client.get('/messages', { query: { page: 1 } })).data.map((one) => one.message_id)).toEqual([id]);
    await expect(client.post('/messages', { body: { ...body, subject: '' } })).rejects.toMatchObject({
      code: 'validation_failed',
      errors: { subject: ['The subject field is required.'] },
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown,
    });
  });
});

describe('verifyWebhook', () => {
  const secret = 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1eF3hJ5lM7n';
  const body = Buffer.from('{"event":"open","message_id":"m","metadata":{"nama":"é 🌧"}}');
  const at = 1_790_000_000_000;
  const headers = signedHeaders({ secret, id: 'whd_1', at, body });
  const now = () => at / 1_000;

  it('resolves with what the service signed, from any kind of headers', async () => {
    for (const given of [headers, new Headers(headers), { ...headers, 'webhook-id': ['whd_1'] }])
      expect(await verifyWebhook({ secret, body, headers: given, now })).toMatchObject({ event: 'open' });
    expect(await verifyWebhook({ secret, body: body.toString(), headers, now })).toMatchObject({ message_id: 'm' });
    const rotated = { ...headers, 'webhook-signature': `v1,AAAA v2,x ${headers['webhook-signature'] ?? ''}` };
    expect(await verifyWebhook({ secret, body, headers: rotated, now })).toMatchObject({ event: 'open' });
  });

  it.each([
    ['another secret', { secret: `${secret}x` }],
    ['another body', { body: Buffer.from(body.toString().replace('open', 'spam')) }],
    ['another id', { headers: { ...headers, 'webhook-id': 'whd_2' } }],
    ['no signature', { headers: { 'webhook-id': 'whd_1' } }],
    ['a signature that is none', { headers: { ...headers, 'webhook-signature': 'v1,###' } }],
    ['an old time', { now: () => at / 1_000 + 301 }],
    ['a time that is none', { headers: { ...headers, 'webhook-timestamp': 'soon' } }],
  ])('rejects %s', async (_, changed) => {
    await expect(verifyWebhook({ secret, body, headers, now, ...changed })).rejects.toThrow(WebhookError);
  });
});
