import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import Koa, { type Middleware } from 'koa';
import request from 'supertest';
import type { AdvancingClock } from '../../lib/advancing-clock';
import type { MessageStatus } from '../../domain/messages/message';
import { MINUTE } from '../../lib/clock';
import { countContaining } from '../../sandbox/count-containing';
import { emptyMailFile } from '../../sandbox/empty-mail-file';
import { createInboxRouter } from '../../sandbox/inbox';
import { openReceivedMails } from '../../sandbox/received-mails';
import type { Sandbox } from '../../sandbox/sandbox';
import type { ShownMessage } from '../../sandbox/shown-message';
import { AddressSearch } from '../../domain/addresses/address-search';
import { TEST_START } from '../support/clock';
import { type Client, envelope, openSandbox, type ReportCollector, simpleMail } from './support';

const ID = '01948f3a-7c00-7abc-8def-000000000001';
const HTML = { Accept: 'text/html' };

let opened: Awaited<ReturnType<typeof openSandbox>>;
let clock: AdvancingClock;
let collector: ReportCollector;
let sandbox: Sandbox;
let client: Client;
let file: string;
let messages: Map<string, ShownMessage>;
let app: ReturnType<Koa['callback']>;

beforeEach(async () => {
  opened = await openSandbox();
  ({ clock, collector, sandbox, client, file } = opened);
  messages = new Map();
  const router = createInboxRouter(sandbox, async (id) => messages.get(id) ?? null);
  app = new Koa().use(router.routes() as Middleware).callback();
});
afterEach(() => opened.close());

const get = (path: string) => request(app).get(`/sandbox/inbox${path}`);
const getJson = (path: string) => get(path).set('Accept', 'application/json');
const post = (path: string, headers: object = {}) =>
  request(app)
    .post(`/sandbox/inbox${path}`)
    .set({ ...HTML, ...headers });

const mail = (subject: string, html = '<p>x</p>', id = ID): string =>
  [
    'From: Toko <x@demo.kurir.test>',
    `Subject: ${subject}`,
    `X-Message-id: ${id}`,
    'Content-Type: text/html',
    '',
    html,
    '',
  ].join('\r\n');

describe('the search', () => {
  beforeEach(async () => {
    await client.send(envelope('siti@toko.example', { envid: ID }), mail('Pesanan 1042'));
    await client.send(envelope('budi@kedai.example'), simpleMail('M2'));
  });

  test.each([
    ['pesanan', [1]],
    ['SITI@', [1]],
    ['kedai.example', [2]],
    [ID.slice(0, 13), [1]],
    ['%', []],
    ['  ', [2, 1]],
    ['1042%27%22<', []],
  ])('for %s finds %j', async (search, ids) => {
    const { body } = await getJson(`?q=${encodeURIComponent(search)}`).expect(200);
    expect((body.data as { id: number }[]).map(({ id }) => id)).toEqual(ids);
    expect(body.total).toBe(ids.length);
  });

  test('is a form that works without scripts, keeps what was sought, and leads on', async () => {
    for (const n of [3, 4]) await client.send(envelope(`a${n}@kedai.example`), simpleMail(`M${n}`));
    const { text, headers } = await get('?q=kedai%26&limit=1');
    expect(text).toContain('<form role="search" method="get" action="/sandbox/inbox">');
    expect(text).toContain('value="kedai&amp;"');
    expect(headers['content-security-policy']).toContain("form-action 'self'");
    expect((await get('?q=kedai.example&limit=1')).text).toContain('?q=kedai.example&amp;before=4"');
    expect((await get('?q=nothing')).text).toContain('No messages match');
  });
});

describe('a mail that is deleted', () => {
  test('is gone from every page, and the list says so', async () => {
    await client.send(envelope('siti@toko.example'), mail('Pesanan'));
    await client.send(envelope('budi@toko.example'), mail('Lain'));
    await post('/1/delete').expect(303).expect('Location', '/sandbox/inbox?deleted=1');
    expect((await get('?deleted=1')).text).toMatch(/role="status">1 message was deleted\./);
    expect((await getJson('')).body).toMatchObject({ data: [{ id: 2 }], total: 1 });
    for (const path of ['/1', '/1/html', '/1/source']) await get(path).expect(404);
    await request(app).delete('/sandbox/inbox/2').expect(204);
    await request(app).delete('/sandbox/inbox/2').expect(404);
    expect((await getJson('')).body).toMatchObject({ data: [], total: 0 });
  });

  test('has its reports sent all the same, and then leaves nothing behind but that it was received', async () => {
    collector.answer = () => 451;
    await client.send(envelope('complaint@toko.example', { envid: ID }), mail('Rahasia'));
    await post('/1/delete').expect(303);
    await sandbox.idle();
    expect(sandbox.total()).toBe(0);
    collector.answer = () => 250;
    clock.advance(10 * MINUTE);
    await sandbox.idle();
    clock.advance(10 * MINUTE);
    await sandbox.idle();
    expect(collector.reports).toHaveLength(2);
    expect(await countContaining(file, new AddressSearch('complaint@toko.example'))).toEqual({
      mails: 0,
      hookRequests: 0,
    });
    const received = openReceivedMails(file);
    expect(received.count([ID], 1).get(ID)).toEqual({ before: 1, total: 1 });
    received.close();
  });

  test('never gives its id away', async () => {
    await client.send(envelope('a@b.example'), mail('one'));
    await post('/1/delete').expect(303);
    await client.send(envelope('a@b.example'), mail('two'));
    expect((await getJson('')).body.data).toMatchObject([{ id: 2 }]);
  });

  test('all at once: those that the page showed, not what came since', async () => {
    for (const n of [1, 2, 3]) await client.send(envelope('a@b.example'), mail(`M${n}`));
    expect((await get('')).text).toContain('action="/sandbox/inbox/delete?up_to=3"');
    await post('/delete?up_to=2').expect(303).expect('Location', '/sandbox/inbox?deleted=2');
    expect((await getJson('')).body).toMatchObject({ data: [{ id: 3 }], total: 1 });
    await post('/delete').expect(422);
  });

  test.each([
    [{ Origin: 'https://other.example' }, 403],
    [{ Origin: 'null' }, 403],
    [{ 'Sec-Fetch-Site': 'cross-site' }, 403],
    [{ 'Sec-Fetch-Site': 'same-site' }, 403],
    [{ 'Sec-Fetch-Site': 'same-origin', Origin: 'null' }, 303],
    [{ Host: 'inbox.test', Origin: 'http://inbox.test' }, 303],
  ])('%j is %i: only our own page may', async (headers, status) => {
    await client.send(envelope('a@b.example'), mail('one'));
    await post('/1/delete', headers).expect(status);
    await post('/delete?up_to=1', headers).expect(status);
    expect(sandbox.total()).toBe(status === 403 ? 1 : 0);
  });
});

describe('what was refused', () => {
  test('is listed with its reason, once for all tries, beside its message', async () => {
    messages.set(ID, shown('failed', '550 5.1.1 No such user here'));
    await client.send(envelope('reject@toko.example', { envid: ID }), mail('x'));
    await client.send(envelope('defer@toko.example', { envid: 'd' }), mail('x'));
    clock.advance(MINUTE);
    await client.send(envelope('defer@toko.example', { envid: 'd' }), mail('x'));
    const { body } = await getJson('?show=refused').expect(200);
    expect(body).toMatchObject({
      data: [
        { to: 'defer@toko.example', reason: '451 4.3.0 Not now, and never', tries: 2, message_id: 'd' },
        { to: 'reject@toko.example', reason: '550 5.1.1 No such user here', message: { status: 'failed' } },
      ],
      total: 2,
      next_before: null,
    });
    const { text } = await get('?show=refused').expect(200);
    expect(text).toContain('550 5.1.1 No such user here');
    expect(text).toContain('>2 tries<');
    expect((await get('?show=refused&limit=1')).text).toContain('?show=refused&amp;before=2"');
  });

  test('is in the search for an address, and goes with the rest when the sandbox is emptied', async () => {
    await client.send(envelope('reject@toko.example'), mail('x'));
    expect((await countContaining(file, new AddressSearch('reject@toko.example'))).mails).toBe(1);
    await emptyMailFile(file, 'us', clock.now());
    expect(sandbox.refused.count()).toBe(0);
    expect((await get('?show=refused')).text).toContain('Nothing was refused');
  });
});

const shown = (status: MessageStatus, failedReason: string | null = null): ShownMessage => ({
  message: { id: ID, status, failedReason },
  history: [
    { status: 'queued', at: TEST_START },
    { status, at: TEST_START + 1_000 },
  ],
});

describe('beside a mail', () => {
  test('is the status of its message, and how it came there', async () => {
    messages.set(ID, shown('bounced', '550 5.1.1 <b>No</b>'));
    await client.send(envelope('hardbounce@b.example', { envid: ID }), mail('x'));
    const { text } = await get('/1');
    expect(text).toMatch(/class="badge status bad">bounced</);
    expect(text).toContain('550 5.1.1 &lt;b&gt;No&lt;/b&gt;');
    expect(text).toContain(
      '<strong>queued</strong> <span class="since">+0.000 s</span> <time datetime="2026-01-05T03:00:00.000Z">',
    );
    expect((await get('')).text).toContain('<span class="unseen">message </span>bounced');
    expect((await getJson('/1')).body.message).toEqual({
      status: 'bounced',
      failed_reason: '550 5.1.1 <b>No</b>',
      history: [
        { status: 'queued', at: '2026-01-05T03:00:00.000000Z' },
        { status: 'bounced', at: '2026-01-05T03:00:01.000000Z' },
      ],
    });
  });

  test('is a word when there is none, also for an id that none could have', async () => {
    await client.send(envelope('a@b.example', { envid: 'x' }), mail('x', '<p>x</p>', "'--"));
    expect((await get('/1')).text).toContain('The service has no message with this id.');
  });

  test.each([
    [
      '<img src="https://cdn.example/a.png"><img src=\'//cdn.example/b.png\'><img src="https://cdn.example/a.png">',
      '2 images are blocked',
    ],
    ['<p style="background: url(https://cdn.example/c.png)">x</p>', 'One image is blocked'],
    ['<img src="data:image/gif;base64,x"><img src="http://inbox.test/t/o/x.gif">', null],
  ])('is a word on images that are not loaded: %s', async (html, word) => {
    await client.send(envelope('a@b.example'), mail('x', html));
    const { text } = await get('/1').set('Host', 'inbox.test');
    if (word === null) expect(text).not.toContain('class="blocked"');
    else expect(text).toContain(word);
    expect((await get('/1?view=source')).text).not.toContain('class="blocked"');
  });
});

test('times are in UTC, each with its instant, which the only script shows in the zone of the browser', async () => {
  await client.send(envelope('complaint@b.example'), mail('x'));
  await sandbox.idle();
  const { text, headers } = await get('/1');
  expect(text).toContain('<time datetime="2026-01-05T03:00:00.000Z">2026-01-05 03:00:00.000 UTC</time>');
  expect(text.match(/<script/g)).toHaveLength(1);
  expect(headers['content-security-policy']).toMatch(/; script-src 'sha256-[^']+';/);
});
