import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { MAX_WEBHOOKS, WEBHOOK_EVENTS, webhookSecretContext } from '../../../domain/webhooks/webhook';
import { objectTime } from '../../../schemas/rules/timestamps';
import { atOnce, inTurn } from '../../contract/helpers';
import { aWebhook } from '../../support/builders';
import { DnsServer } from '../../support/dns-server';
import { TestApi, type Account, type Answer } from '../../support/test-api';

const URL = 'https://hooks.contoh.test/kurir';
const PUBLIC = '93.184.216.34';

let dns: DnsServer;
let api: TestApi;
let account: Account;
beforeAll(async () => {
  dns = await DnsServer.start();
  dns.set('A', 'hooks.contoh.test', PUBLIC);
  api = await TestApi.open({ dns: dns.address });
});
beforeEach(async () => {
  account = await api.account();
  dns.asked.length = 0;
});
afterEach(() => {
  dns.failing = null;
});
afterAll(async () => {
  await api.close();
  await dns.stop();
});

const register = (change: object = {}, key = account.key) =>
  api.post('/v1/webhooks', key).send({ url: URL, event_types: ['delivered', 'open'], ...change });
const list = async (key = account.key) => (await api.get('/v1/webhooks', key)).body as unknown as Listed[];
const remove = (id: unknown, key = account.key) => api.ask('delete', `/v1/webhooks/${String(id)}`, key);
const stored = () => api.stores.webhooks.list(account.workspace.id);

interface Listed {
  id: number;
  url: string;
  event_types: string[];
}
interface Created extends Listed {
  secret: string;
}
const created = ({ status, body }: Answer): Created => {
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body as unknown as Created;
};
/** A 422 whose only fault is this one. */
const refused = (field: string, sentence: string) => ({
  status: 422,
  body: { message: sentence, code: 'validation_failed', errors: { [field]: [sentence] } },
});

describe('POST /webhooks', () => {
  // spec: docs/contract.md#register-a-webhook: webhook subscription: on creation id, url, secret, event_types; the
  //   secret has 40 characters and is returned only once
  // spec: docs/contract.md#register-a-webhook: POST /webhooks: 201 with the secret
  test('201: id, url, secret and event_types, and nothing else', async () => {
    const { status, body } = await register();
    const { id, secret } = body as unknown as Created;
    expect([status, body]).toEqual([201, { id, url: URL, secret, event_types: ['delivered', 'open'] }]);
    expect(Number.isInteger(id)).toBe(true);
    expect(secret).toMatch(/^[A-Za-z0-9]{40}$/);
  });

  // spec: docs/contract.md#register-a-webhook: webhook subscription: on creation id, url, secret, event_types; the
  //   secret has 40 characters and is returned only once
  test('201: every webhook has a secret of its own, stored sealed and for itself only', async () => {
    const [one, two] = [created(await register()), created(await register({ url: `${URL}/2` }))];
    expect(one.secret).not.toBe(two.secret);
    const [first, second] = await stored();
    expect(JSON.stringify([first, second])).not.toContain(one.secret);
    expect(api.keyring.open(first!.secretSealed, webhookSecretContext(first!))).toBe(one.secret);
    expect(() => api.keyring.open(first!.secretSealed, webhookSecretContext(second!))).toThrow();
    expect(() => api.keyring.open(first!.secretSealed, webhookSecretContext({ workspaceId: 1, url: URL }))).toThrow();
  });

  test('201: equal URLs twice are allowed', async () => {
    const ids = await inTurn(2, async () => created(await register()).id);
    expect(new Set(ids).size).toBe(2);
  });

  test('201: repeated event names are merged, and trimmed', async () => {
    const { event_types: names } = created(await register({ event_types: ['open', ' click ', 'open', 'click'] }));
    expect(names).toEqual(['open', 'click']);
  });

  test('201: every event name', async () => {
    expect(created(await register({ event_types: WEBHOOK_EVENTS })).event_types).toEqual(WEBHOOK_EVENTS);
  });

  test.each([
    ['event_types[]=open', ['open']],
    ['event_types[]=open&event_types[]=click', ['open', 'click']],
    ['event_types[0]=bounce&event_types[1]=complaint', ['bounce', 'complaint']],
    ['event_types=delivered&event_types=unsubscribe', ['delivered', 'unsubscribe']],
  ])('201: a form with %s', async (fields, names) => {
    const answer = await api
      .post('/v1/webhooks', account.key)
      .type('form')
      .send(`url=${encodeURIComponent(` ${URL} `)}&${fields}`);
    expect(created(answer)).toMatchObject({ url: URL, event_types: names });
  });

  test('201: unknown request fields are ignored, ids and secrets too', async () => {
    const fields = `"url":"${URL}","event_types":["open"],"id":999999,"secret":"x","workspace_id":1,"is_active":false`;
    const { id, secret } = created(
      await api.post('/v1/webhooks', account.key).type('json').send(`{${fields},"__proto__":{"url":"http://x.test"}}`),
    );
    expect(id).not.toBe(999_999);
    expect(secret).toHaveLength(40);
    expect((await stored())[0]).toMatchObject({ workspaceId: account.workspace.id, isActive: true });
  });

  // spec: docs/contract.md#webhook-url: POST /webhooks: url max 255
  test('201: the URL may have 255 characters', async () => {
    const url = `${URL}?${'ü'.repeat(254 - URL.length)}`;
    expect(created(await register({ url })).url).toBe(url);
  });
});

describe('422 of POST /webhooks', () => {
  // spec: docs/contract.md#webhook-url: POST /webhooks: url required, https
  test('The url field is required.', async () => {
    for (const url of [undefined, null, '', '  '])
      expect(await register({ url })).toMatchObject(refused('url', 'The url field is required.'));
  });

  test('The url field must be a string.', async () => {
    for (const url of [1, true, [URL], { url: URL }])
      expect(await register({ url })).toMatchObject(refused('url', 'The url field must be a string.'));
  });

  // spec: docs/contract.md#webhook-url: POST /webhooks: url max 255
  test('The url field must not be greater than 255 characters.', async () => {
    const sentence = 'The url field must not be greater than 255 characters.';
    for (const length of [255, 100_000])
      expect(await register({ url: `${URL}?${'x'.repeat(length - URL.length)}` })).toMatchObject(
        refused('url', sentence),
      );
  });

  test('The url field must be a valid URL.', async () => {
    for (const url of ['kurir', 'https://', 'https:///x.test', 'https://x..test', 'https://x.test/a b'])
      expect(await register({ url })).toMatchObject(refused('url', 'The url field must be a valid URL.'));
  });

  // spec: docs/contract.md#webhook-url: POST /webhooks: url required, https
  test('The url field must be a URL that begins with https://.', async () => {
    const sentence = 'The url field must be a URL that begins with https://.';
    for (const url of ['http://hooks.contoh.test/', 'ftp://x.test', 'file:///etc/passwd', 'javascript:alert(1)'])
      expect(await register({ url })).toMatchObject(refused('url', sentence));
  });

  // spec: docs/contract.md#webhook-url: POST /webhooks: no username/password
  test('The url field must not have a user name or a password.', async () => {
    const sentence = 'The url field must not have a user name or a password.';
    for (const user of ['budi', 'budi:rahasia', ':rahasia', ''])
      expect(await register({ url: `https://${user}@hooks.contoh.test/` })).toMatchObject(refused('url', sentence));
  });

  // spec: docs/contract.md#webhook-url: POST /webhooks: host resolvable in DNS
  test('The url field must have a host that can be resolved in DNS.', async () => {
    const sentence = 'The url field must have a host that resolves in DNS.';
    expect(await register({ url: 'https://nowhere.contoh.test/' })).toMatchObject(refused('url', sentence));
    expect(await stored()).toEqual([]);
  });

  // spec: docs/contract.md#webhook-url: POST /webhooks: host resolvable in DNS
  test('The url field has a host that DNS gave no answer for; try again later.', async () => {
    dns.failing = 2;
    const sentence = 'The url field has a host that DNS did not respond for; try again later.';
    expect(await register()).toMatchObject(refused('url', sentence));
    expect(await stored()).toEqual([]);
  });

  test('The event_types field is required.', async () => {
    const sentence = 'The event_types field is required.';
    for (const names of [undefined, null, ''])
      expect(await register({ event_types: names })).toMatchObject(refused('event_types', sentence));
  });

  // spec: docs/contract.md#register-a-webhook: POST /webhooks: event_types is an array of at least one event name
  test('The event_types field must be an array.', async () => {
    const sentence = 'The event_types field must be an array.';
    for (const names of ['open', 1, true, { 0: 'open' }, { length: 1 }])
      expect(await register({ event_types: names })).toMatchObject(refused('event_types', sentence));
  });

  // spec: docs/contract.md#register-a-webhook: POST /webhooks: event_types is an array of at least one event name
  test('The event_types field must have at least one item.', async () => {
    const sentence = 'The event_types field must have at least one item.';
    expect(await register({ event_types: [] })).toMatchObject(refused('event_types', sentence));
  });

  test('The event_types field must not have more than 100 items.', async () => {
    const sentence = 'The event_types field must not have more than 100 items.';
    for (const length of [101, 1_000])
      expect(await register({ event_types: Array(length).fill('open') })).toMatchObject(
        refused('event_types', sentence),
      );
    expect((await register({ event_types: Array(100).fill('open') })).status).toBe(201);
  });

  // spec: docs/contract.md#register-a-webhook: POST /webhooks: event_types is an array of at least one event name
  test.each([['opened'], ['Open'], [''], [null], [1], [['open']], [{}], ['__proto__'], ['open\u0000']])(
    'The event_types.1 field must be one of the six names: %j is none',
    async (name) => {
      const sentence = 'The event_types.1 field must be one of delivered, bounce, complaint, open, click, unsubscribe.';
      expect(await register({ event_types: ['open', name] })).toMatchObject(refused('event_types.1', sentence));
    },
  );

  test('every fault is told, and counted', async () => {
    const { body } = await register({ url: 'http://x.test', event_types: ['a', 'open', 'b'] });
    expect(body.message).toBe('The url field must be a URL that begins with https://. (and 2 more errors)');
    expect(Object.keys(body.errors)).toEqual(['url', 'event_types.0', 'event_types.2']);
  });

  // spec: docs/contract.md#webhook-limit: POST /webhooks: max 10 webhooks per workspace, 422 starting `Maksimal 10
  //   webhook per workspace.`
  // spec: docs/contract.md#sizes: limits of webhooks
  test('Maksimal 10 webhook per workspace.', async () => {
    await inTurn(MAX_WEBHOOKS, async () => created(await register()));
    const { status, body } = await register();
    expect([status, body.code, Object.keys(body)]).toEqual([422, 'webhook_limit', ['message', 'code']]);
    expect(body.message).toMatch(/^Maksimal 10 webhook per workspace\./);
    expect((await register({ url: 'http://x.test' })).body.code).toBe('validation_failed');
    expect((await register({ url: 'https://nowhere.contoh.test' })).body.code).toBe('validation_failed');
    const other = await api.account();
    expect((await register({}, other.key)).status).toBe(201);
  });

  // spec: docs/contract.md#webhook-limit: POST /webhooks: max 10 webhooks per workspace, 422 starting `Maksimal 10
  //   webhook per workspace.`
  test('40 who register at once get 10 webhooks', async () => {
    const answers = await atOnce(40, async () => register());
    const codes = answers.map(({ status }) => status);
    expect(codes.filter((status) => status === 201)).toHaveLength(MAX_WEBHOOKS);
    expect(codes.filter((status) => status === 422)).toHaveLength(30);
    const ids = answers.filter(({ status }) => status === 201).map((answer) => created(answer).id);
    expect((await list()).map(({ id }) => id)).toEqual(ids.sort((a, b) => a - b));
  });
});

describe('The url field must not point to an internal or private network.', () => {
  const sentence =
    'The url field must not point to an internal or private network. For development, your administrator can allow hosts with KURIR_WEBHOOK_PRIVATE_HOSTS.';

  // spec: docs/contract.md#webhook-url: POST /webhooks: not pointing to an internal/private network
  test.each([
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://0177.0.0.1./',
    'https://１２７。０。０。１/',
    'https://10.1.2.3/',
    'https://192.168.1.1:8443/',
    'https://100.64.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://[::ffff:a9fe:a9fe]/',
    'https://[64:ff9b::10.0.0.1]/',
    'https://[64:ff9b:1::8.8.8.8]/',
    'https://[2002:7f00:1::]/',
    'https://[fd00::1]/',
    'https://localhost/',
    'https://localhost.:8443/',
    'https://kurir.localhost/',
    'https://intranet/',
  ])('422: %s, without a question to the DNS', async (url) => {
    expect(await register({ url })).toMatchObject(refused('url', sentence));
    expect(dns.asked).toEqual([]);
    expect(await stored()).toEqual([]);
  });

  // spec: docs/contract.md#webhook-url: POST /webhooks: not pointing to an internal/private network
  test.each([
    ['A', '127.0.0.1'],
    ['A', '10.0.0.1'],
    ['A', '169.254.169.254'],
    ['A', '0.0.0.0'],
    ['AAAA', '::1'],
    ['AAAA', 'fe80::1'],
    ['AAAA', 'fd00:ec2::254'],
    ['AAAA', '::ffff:192.168.0.1'],
    ['AAAA', '64:ff9b::a00:1'],
  ] as const)('422: a name with the %s record %s, alone or among public ones', async (type, address) => {
    for (const name of ['inner.contoh.test', 'printer.local', 'metadata.google.internal']) {
      dns.set(type, name, address);
      expect(await register({ url: `https://${name}/` })).toMatchObject(refused('url', sentence));
      dns.set(type, name, type === 'A' ? PUBLIC : '2606:4700::1', address);
      dns.set(type === 'A' ? 'AAAA' : 'A', name, type === 'A' ? '2606:4700::1' : PUBLIC);
      expect(await register({ url: `https://${name}./x` })).toMatchObject(refused('url', sentence));
      for (const kind of ['A', 'AAAA']) dns.records.delete(`${kind} ${name}`);
    }
    expect(await stored()).toEqual([]);
  });

  test.each([
    'https://8.8.8.8/hook',
    'https://[2606:4700:4700::1111]:8443/hook',
    'https://[::ffff:8.8.8.8]/',
    'https://[64:ff9b::808:808]/',
  ])('201: the public address %s, without a question to the DNS', async (url) => {
    expect(created(await register({ url })).url).toBe(url);
    expect(dns.asked).toEqual([]);
  });

  test.each([
    ['https://six.contoh.test/', 'AAAA', '2606:4700:4700::1111'],
    ['https://NAT.contoh.test./', 'AAAA', '64:ff9b::5db8:d822'],
    ['https://bücher.contoh.test:8443/?a=1#b', 'A', PUBLIC],
  ] as const)('201: %s with the %s record %s, kept as it was written', async (url, type, address) => {
    const name = new globalThis.URL(url).hostname.replace(/\.$/, '');
    dns.set(type, name, address);
    expect(created(await register({ url })).url).toBe(url);
    expect(new Set(dns.asked)).toEqual(new Set([name]));
    expect((await list())[0]!.url).toBe(url);
  });
});

describe('GET /webhooks', () => {
  test('200: an empty array without any', async () => {
    expect(await list()).toEqual([]);
  });

  // spec: docs/contract.md#webhook-subscription: webhook subscription: id, url, event_types, is_active, created_at
  // spec: docs/contract.md#webhook-subscription: GET /webhooks: array of subscriptions
  // spec: docs/contract.md#register-a-webhook: webhook subscription: on creation id, url, secret, event_types; the
  //   secret has 40 characters and is returned only once
  test('200: those of the workspace, in the order they were made, without their secrets', async () => {
    const made = await inTurn(3, async (n) => created(await register({ url: `${URL}/${n}` })));
    await register({}, (await api.account()).key);
    const answer = await api.get('/v1/webhooks', account.key);
    expect([answer.status, answer.body]).toEqual([
      200,
      made.map(({ id, url, event_types }) => ({
        id,
        url,
        event_types,
        is_active: true,
        created_at: objectTime(api.clock.now()),
      })),
    ]);
    for (const { secret } of made) expect(answer.text).not.toContain(secret);
  });

  test('200: is_active false', async () => {
    await api.stores.webhooks.create(aWebhook(account.workspace.id, { isActive: false }), MAX_WEBHOOKS);
    expect(await list()).toMatchObject([{ is_active: false }]);
  });
});

describe('DELETE /webhooks/{id}', () => {
  // spec: docs/contract.md#delete-a-webhook: DELETE /webhooks/{id}: `{deleted: true}`
  test('200: {deleted: true}, and it is gone; a second time 404', async () => {
    const [one, two] = await inTurn(2, async () => created(await register()).id);
    const { status, body } = await remove(one);
    expect([status, body]).toEqual([200, { deleted: true }]);
    expect((await list()).map(({ id }) => id)).toEqual([two]);
    expect((await remove(one)).status).toBe(404);
  });

  test('200 once of 20 who delete at once', async () => {
    const { id } = created(await register());
    const codes = (await atOnce(20, async () => remove(id))).map(({ status }) => status);
    expect(codes.sort()).toEqual([200, ...Array<number>(19).fill(404)]);
  });

  // spec: docs/contract.md#register-a-webhook: to change the secret, delete and re-register
  test('200: to change the secret, delete and re-register', async () => {
    const made = await inTurn(MAX_WEBHOOKS, async () => created(await register()));
    expect((await register()).status).toBe(422);
    await remove(made[4]!.id);
    const again = created(await register());
    expect(made.map(({ secret }) => secret)).not.toContain(again.secret);
    expect((await register()).status).toBe(422);
  });

  test('404: of another workspace, and it stays', async () => {
    const { id } = created(await register());
    const { status, body } = await remove(id, (await api.account()).key);
    expect([status, body]).toEqual([404, { message: 'Not Found.', code: 'not_found' }]);
    expect((await list()).map((webhook) => webhook.id)).toEqual([id]);
  });

  test.each([
    '0',
    '-1',
    '01',
    '1e3',
    '0x1',
    '1.0',
    '%00',
    '%31%00',
    'abc',
    '9'.repeat(400),
    '9007199254740993',
    '+1',
    '1 ',
  ])('404: the id %s', async (id) => expect((await remove(id)).status).toBe(404));
});
