import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openHttpApps } from '../../app/program/http-apps';
import { describeOnEngines } from '../support/engines';
import { Running } from '../support/running';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

describeOnEngines('the page at /', (install) => {
  let running: Running;
  beforeAll(async () => {
    running = await Running.startOn(install(), {}, undefined, { httpApps: openHttpApps });
  });
  afterAll(() => running.stop());

  const open = (path = '/', headers: Record<string, string> = {}, method = 'GET'): Promise<Response> =>
    fetch(new URL(path, running.kurir.baseUrl), { method, headers: { accept: BROWSER, ...headers } });

  // spec: docs/contract.md#start-page: the key of the demo, once
  it('shows the key of the demo to the first person who opens it, and never again', async () => {
    const key = running.demo.api_key;
    // A program, a prefetch and a look without a body are no visits.
    for (const headers of [{ accept: '*/*' }, { 'sec-purpose': 'prefetch' }]) {
      expect(await (await open('/', headers)).text()).not.toContain(key);
    }
    expect((await open('/', {}, 'HEAD')).status).toBe(200);
    // Nor is one from elsewhere, through a proxy on this machine.
    for (const from of ['203.0.113.9', '127.0.0.1']) {
      expect(await (await open('/', { 'x-forwarded-for': from })).text()).not.toContain(key);
    }
    const pages = await Promise.all([1, 2, 3].map(async () => (await open()).text()));
    expect(pages.filter((page) => page.includes(key))).toHaveLength(1);
    const later = await (await open()).text();
    expect(later).not.toContain(key);
    expect(later).toContain('first-run.json');
  });

  // spec: docs/contract.md#start-page: what runs, and links
  it('says what runs, and each of its links leads somewhere', async () => {
    const response = await open();
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
    const page = await response.text();
    expect(page).toContain('the sandbox: emails are kept here and never delivered');
    const links = [...page.matchAll(/ href="(\/[^"]*)"/g)].map(([, path = '']) => path);
    expect(links).toEqual(['/app', '/sandbox/inbox', '/sandbox/hooks', '/docs', '/v1/openapi.json', '/readyz']);
    for (const link of links) expect([link, (await open(link)).status]).toEqual([link, 200]);
  });

  it('has nothing from outside: no script, no image, no other host', async () => {
    const page = await (await open()).text();
    expect(page).not.toMatch(/<script|<img|@import|url\(|(?:src|href)="(?:https?:)?\/\//);
  });

  it('/docs says where the key of the demo is, to a visitor on this machine only', async () => {
    expect(await (await open('/docs')).text()).toContain('<code>first-run.json</code>');
    expect(await (await open('/docs', { 'x-forwarded-for': '203.0.113.9' })).text()).not.toContain('first-run.json');
  });

  it('a path that does not exist leads a browser on, and each of its links leads somewhere', async () => {
    const response = await open('/foo');
    expect(response.status).toBe(404);
    const links = [...(await response.text()).matchAll(/ href="(\/[^"]*)"/g)].map(([, path = '']) => path);
    expect(links).toEqual(['/', '/docs']);
    for (const link of links) expect([link, (await open(link)).status]).toEqual([link, 200]);
  });

  // spec: docs/contract.md#start-page: `/produk`
  it('/produk, where the 403 of an inactive module sends people, is a page', async () => {
    const response = await open('/produk');
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('Modul Email Marketing belum aktif');
    expect((await open('/produk', {}, 'POST')).status).toBe(405);
  });

  it('the inbox shows the status of the message beside its mail, and what was refused', async () => {
    const id = await running.send('hardbounce@pelanggan.test', { subject: 'Dilihat' });
    await running.untilStatus(id, 'bounced');
    const refused = await running.send('reject@pelanggan.test');
    await running.untilStatus(refused, 'failed');
    const [mail] = running.kurir.sandbox!.list({ limit: 1, search: id });
    const page = await (await open(`/sandbox/inbox/${mail?.id}`)).text();
    expect(page).toMatch(/badge status bad">bounced<\/span>\s*<bdi>5\.1\.1/);
    expect(page).toContain('<strong>sent_to_mta</strong>');
    const list = (await (await open('/sandbox/inbox?show=refused', { accept: 'application/json' })).json()) as {
      data: object[];
    };
    expect(list.data).toMatchObject([
      { to: 'reject@pelanggan.test', message_id: refused, message: { status: 'failed' } },
    ]);
  });
});

describe('the page at / with a real sending server', () => {
  // spec: docs/contract.md#start-page: no key with a real sending server
  it('says so, has no inbox, and never shows a key', async () => {
    const env = { KURIR_MTA_URL: 'smtp://127.0.0.1:9', KURIR_DEMO: 'true' };
    const running = await Running.start(env);
    try {
      const response = await fetch(new URL('/', running.kurir.baseUrl), { headers: { accept: BROWSER } });
      const page = await response.text();
      expect(page).not.toContain(running.demo.api_key);
      expect(page).not.toContain('/sandbox/');
      expect(page).toContain('your own');
      expect(page).toContain('npx kurir workspace create');
      const docs = await fetch(new URL('/docs', running.kurir.baseUrl), { headers: { accept: BROWSER } });
      expect(await docs.text()).not.toContain('first-run.json');
    } finally {
      await running.stop();
    }
  });
});
