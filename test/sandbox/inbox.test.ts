import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import Koa, { type Middleware } from 'koa';
import request from 'supertest';
import { createInboxRouter } from '../../sandbox/inbox';
import { LOCAL_TIME_ELEMENT } from '../../sandbox/local-time';
import type { Sandbox } from '../../sandbox/sandbox';
import { type Client, envelope, openSandbox, type ReportCollector, simpleMail } from './support';

let opened: Awaited<ReturnType<typeof openSandbox>>;
let collector: ReportCollector;
let sandbox: Sandbox;
let client: Client;
let app: ReturnType<Koa['callback']>;

beforeEach(async () => {
  opened = await openSandbox();
  ({ collector, sandbox, client } = opened);
  app = new Koa().use(createInboxRouter(sandbox).routes() as Middleware).callback();
});
afterEach(() => opened.close());

const get = (path: string) => request(app).get(`/sandbox/inbox${path}`);
const getJson = (path: string) => get(path).set('Accept', 'application/json');

const twoParts = (subject: string, text: string, html: string): string =>
  [
    'From: Toko <no-reply@demo.kurir.test>',
    `Subject: ${subject}`,
    'X-Message-id: 0194-a',
    'Content-Type: multipart/alternative; boundary=B',
    '',
    '--B',
    'Content-Type: text/plain; charset=utf-8',
    '',
    text,
    '--B',
    'Content-Type: text/html; charset=utf-8',
    '',
    html,
    '--B--',
    '',
  ].join('\r\n');

describe('the list', () => {
  test('tells how to send the first mail while there is none', async () => {
    const { text } = await get('')
      .set('Host', '127.0.0.1:8080')
      .expect(200)
      .expect('Content-Type', /^text\/html/);
    expect(text).toContain('No messages yet');
    expect(text).toContain('curl http://127.0.0.1:8080/v1/messages');
    expect(text).toContain('first-run.json');
    for (const name of ['hardbounce', 'softbounce', 'greylist', 'drop']) expect(text).toContain(`${name}@`);
  });

  test('is a page for browsers and JSON with Accept: application/json', async () => {
    await client.send(envelope('complaint@b.example', { envid: '0194-a' }), twoParts('Halo', 'text', '<p>html</p>'));
    await sandbox.idle();
    const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    for (const accept of [browser, '*/*']) {
      const { text } = await get('')
        .set('Accept', accept)
        .expect('Content-Type', /^text\/html/);
      expect(text).toContain('Halo');
      expect(text).toContain('complaint@b.example');
    }
    const { body } = await getJson('')
      .expect(200)
      .expect('Content-Type', /^application\/json/)
      .expect('Vary', /Accept/);
    expect(body).toEqual({
      data: [
        {
          id: 1,
          message_id: '0194-a',
          envid: '0194-a',
          from: 'Toko <no-reply@demo.kurir.test>',
          to: 'complaint@b.example',
          subject: 'Halo',
          received_at: '2026-01-05T03:00:00.000000Z',
          size: expect.any(Number),
          copies: 1,
          envelope: {
            from: 'b-1@bounce.demo.kurir.test',
            to: [{ address: 'complaint@b.example', notify: ['SUCCESS', 'FAILURE', 'DELAY'], orcpt: null }],
          },
          reports: [
            {
              kind: 'delivered',
              recipient: 'complaint@b.example',
              state: 'sent',
              tries: 1,
              at: '2026-01-05T03:00:00.000000Z',
              reply: expect.stringMatching(/^250 /),
            },
            expect.objectContaining({ kind: 'complaint', state: 'sent' }),
          ],
        },
      ],
      total: 1,
      next_before: null,
    });
  });

  test('goes page by page, newest first', async () => {
    for (let n = 1; n <= 5; n++) await client.send(envelope('a@b.example'), simpleMail(`M${n}`));
    const first = (await getJson('?limit=2')).body;
    expect(first).toMatchObject({ data: [{ message_id: 'M5' }, { message_id: 'M4' }], total: 5, next_before: 4 });
    const second = (await getJson(`?limit=3&before=${first.next_before}`)).body;
    expect(second).toMatchObject({ data: [{ message_id: 'M3' }, {}, { message_id: 'M1' }], next_before: null });
    expect((await get('?limit=2')).text).toContain('href="/sandbox/inbox?before=4"');
    expect((await get('?before=1')).text).toContain('No older messages');
  });

  test('shows a mail that was received twice', async () => {
    for (let n = 0; n < 2; n++) await client.send(envelope('a@b.example'), simpleMail('M1'));
    expect((await get('')).text.match(/received 2 times/g)).toHaveLength(2);
  });

  test.each(['limit=0', 'limit=501', 'limit=x', 'before=-1', 'before=1e3', 'limit=1&limit=2'])(
    'with %s is a 422 that says why',
    async (query) => {
      const { body } = await getJson(`?${query}`).expect(422);
      expect(body.message).toMatch(/^The (limit|before) field must be a whole number from 1 to \d+\.$/);
      await get(`?${query}`)
        .expect(422)
        .expect('Content-Type', /^text\/html/);
    },
  );
});

describe('a mail', () => {
  test('as JSON has its headers, text and html', async () => {
    await client.send(envelope('a@b.example'), twoParts('=?utf-8?q?Hal=C3=B6?=', 'the text', '<p>the html</p>'));
    const { body } = await getJson('/1').expect(200);
    expect(body).toMatchObject({
      id: 1,
      subject: 'Halö',
      text: 'the text\n',
      html: '<p>the html</p>\n',
      attachments: [],
    });
    expect(body.headers).toContainEqual({ name: 'Subject', value: 'Halö' });
  });

  test('as a page has the views html, text, headers and source', async () => {
    await client.send(envelope('a@b.example'), twoParts('Halo', 'the text', '<p>the html</p>'));
    expect((await get('/1')).text).toContain('src="/sandbox/inbox/1/html"');
    expect((await get('/1?view=text')).text).toContain('<pre>the text');
    expect((await get('/1?view=headers')).text).toContain('multipart/alternative; boundary=B');
    expect((await get('/1?view=source')).text).toContain('--B--');
    expect((await get('/1/html')).text).toBe('<base target="_blank"><p>the html</p>\n');
  });

  test('without html is shown as text', async () => {
    await client.send(envelope('a@b.example'), simpleMail('M1'));
    const { text } = await get('/1?view=html');
    expect(text).toContain('<pre>Hi.');
    expect(text).not.toContain('<iframe');
    await get('/1/html').expect(404);
  });

  test('keeps its doctype in the frame', async () => {
    await client.send(envelope('a@b.example'), twoParts('x', 'x', '<!DOCTYPE html><p>x</p>'));
    expect((await get('/1/html')).text).toMatch(/^<!DOCTYPE html><base target="_blank"><p>/);
  });

  test('has its attachments listed', async () => {
    const raw = [
      'Content-Type: multipart/mixed; boundary=B',
      '',
      '--B',
      'Content-Type: application/pdf',
      'Content-Disposition: attachment; filename="<i>.pdf"',
      '',
      'four',
      '--B--',
      '',
    ].join('\r\n');
    await client.send(envelope('a@b.example'), raw);
    expect((await getJson('/1')).body.attachments).toEqual([{ filename: '<i>.pdf', type: 'application/pdf', size: 5 }]);
    expect((await get('/1')).text).toContain('&lt;i&gt;.pdf');
  });

  test('raw is the very bytes, as text', async () => {
    await client.send(envelope('a@b.example'), Buffer.from('Subject: x\r\n\r\n<script>\xff\r\n', 'latin1'));
    const { body } = await get('/1/source')
      .buffer(true)
      .parse((response, done) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => done(null, Buffer.concat(chunks)));
      })
      .expect('Content-Type', 'text/plain; charset=utf-8')
      .expect('X-Content-Type-Options', 'nosniff');
    expect(body).toEqual(sandbox.get(1)!.source);
  });

  test.each(['/0', '/2', '/x', '/1e0', '/99999999999999999999', '/-1', '/2/html', '/2/source', '/%2e%2e'])(
    '%s that is not there is a 404',
    async (path) => {
      await client.send(envelope('a@b.example'), simpleMail('M1'));
      expect((await getJson(path).expect(404)).body).toEqual({ message: 'Message not found.' });
      await get(path)
        .expect(404)
        .expect('Content-Type', /^text\/html/);
    },
  );

  test('of hundreds of thousands of lines, or nested without end, is shown as its source', async () => {
    await client.send(envelope('a@b.example'), `Subject: long\r\n\r\n${'\r\n'.repeat(150_000)}`);
    const nested = Array.from(
      { length: 400 },
      (_, i) => `Content-Type: multipart/mixed; boundary=b${i}\r\n\r\n--b${i}\r\n`,
    );
    await client.send(envelope('a@b.example'), nested.join(''));
    for (const id of [1, 2]) {
      expect((await getJson(`/${id}`).expect(200)).body).toMatchObject({ text: null, html: null });
      expect((await get(`/${id}`)).text).toMatch(/The mail (has more than|is not readable)/);
    }
    expect((await get('/1?view=source')).text).toContain('Subject: long');
  });
});

describe('a hostile mail', () => {
  const script = `<script>alert(1)</script>"'><img src=x onerror=alert(2)>`;
  const raw = [
    `From: ${script} <a@demo.kurir.test>`,
    `Subject: ${script}`,
    `X-Message-id: ${script}`,
    `X-Other: ${script}`,
    'Content-Type: text/html',
    '',
    `${script}</pre></iframe>`,
    '',
  ].join('\r\n');

  test('puts no markup of its own into any page', async () => {
    await client.send(
      { ...envelope("o'hara&amp@b.example", { envid: script.replaceAll(' ', '') }), from: "e'&@a.example" },
      raw,
    );
    collector.answer = () => 250;
    await sandbox.idle();
    for (const path of [
      '',
      '/1',
      '/1?view=text',
      '/1?view=headers',
      '/1?view=source',
      `/${encodeURIComponent(script)}`,
      `?view=${encodeURIComponent(script)}`,
    ]) {
      const { text } = await get(path);
      expect(text.replace(LOCAL_TIME_ELEMENT, '')).not.toMatch(/<script|<img|onerror=alert\(2\)>/i);
      expect(text.match(/<iframe/g)?.length ?? 0).toBe(/^\/1(\?view=text)?$/.test(path) ? 1 : 0);
    }
    expect((await get('')).text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  });

  test('is framed without scripts, forms and the origin of the page', async () => {
    await client.send(envelope('a@b.example'), raw);
    const { text } = await get('/1');
    const frame = /<iframe [^>]*>/.exec(text)![0];
    expect(frame).toContain('sandbox="allow-popups allow-popups-to-escape-sandbox"');
    expect(frame).toContain('referrerpolicy="no-referrer"');
  });

  test('is served under a policy that lets it run and fetch nothing', async () => {
    await client.send(envelope('a@b.example'), raw);
    const { headers } = await get('/1/html').expect(200);
    const policy = String(headers['content-security-policy']).split('; ');
    expect(policy).toContain('sandbox allow-popups allow-popups-to-escape-sandbox');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("img-src 'self' data:");
    expect(policy).toContain("form-action 'none'");
    expect(policy.join()).not.toMatch(/script-src|connect-src|frame-src|allow-scripts|allow-same-origin/);
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' });
  });

  test('every page forbids scripts and frames around it, and is not kept by caches', async () => {
    await client.send(envelope('a@b.example'), raw);
    for (const path of ['', '/1', '/7', '?limit=x']) {
      const { headers } = await get(path);
      expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; /);
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
      expect(headers).toMatchObject({ 'cache-control': 'no-store', 'cross-origin-opener-policy': 'same-origin' });
    }
  });
});
