import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '../contract/helpers';
import { dashboarded, type Visitor } from './visitor';

const PAGE = '/app/w/1/webhooks';
const EVIL = '<script>alert("x")</script>';

describe('the webhooks of the dashboard', () => {
  const subject = dashboarded({ KURIR_WEBHOOK_PRIVATE_HOSTS: '127.0.0.1' });
  let developer: Visitor;
  let endpoint: Server;
  let url: string;
  let page: string;
  beforeAll(async () => {
    endpoint = createServer((_, answer) => answer.writeHead(500).end(`broken ${EVIL}`));
    endpoint.listen(0, '127.0.0.1');
    await once(endpoint, 'listening');
    url = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/hook`;
    developer = await subject.person('dev@toko.example', { 1: 'developer' });
  });
  afterAll(() => {
    endpoint.close();
  });

  /** Boxes that are checked together have one name. */
  const send = async (path: string, fields: Record<string, string>, events: string[]) => {
    const body = new URLSearchParams({ _csrf: await developer.token(), ...fields });
    for (const event of events) body.append('events', event);
    const cookie = [...developer.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    return fetch(subject.origin + path, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie, origin: subject.origin, 'content-type': 'application/x-www-form-urlencoded' },
      body,
    });
  };

  it('adds one, and shows its secret only then', async () => {
    const made = await send(`${PAGE}/create`, { url }, ['delivered', 'bounce']);
    const html = await made.text();
    expect(made.status).toBe(200);
    const [, secret = ''] = /<code>(\w{40})<\/code>/.exec(html) ?? [];
    expect(secret).toHaveLength(40);
    page = /href="(\/app\/w\/1\/webhooks\/\d+)"/.exec(html)?.[1] ?? '';
    for (const path of [PAGE, page]) {
      const shown = await developer.get(path);
      expect(shown.html).toContain(url);
      expect(shown.html).toContain('delivered, bounce');
      expect(shown.html).not.toContain(secret);
    }
  });

  it('refuses what the API refuses, and keeps what was written', async () => {
    const refused = await send(`${PAGE}/create`, { url: 'http://toko.example/hook' }, ['click']);
    const html = await refused.text();
    expect(refused.status).toBe(422);
    expect(html).toContain('must be a URL that begins with https://');
    expect(html).toContain('value="http://toko.example/hook"');
    expect(html).toMatch(/value="click"\s+checked/);
    expect((await send(`${PAGE}/create`, { url }, [])).status).toBe(422);
    const evil = await (await send(`${PAGE}/create`, { url: EVIL }, ['click'])).text();
    expect(evil).not.toContain('<script>alert');
  });

  it('sends a test, and shows each attempt with the answer, escaped', async () => {
    expect(await developer.post(`${page}/test`)).toMatchObject({ status: 303, location: page });
    let delivery = '';
    await eventually(async () => {
      const { html } = await developer.get(`${page}?event=webhook.test&state=waiting`);
      delivery = /href="([^"]+\/deliveries\/whd_[0-9a-f]{32})"/.exec(html)?.[1] ?? '';
      expect((await developer.get(delivery)).html).toContain('Attempt 1');
    });
    const { html } = await developer.get(delivery);
    expect(html).toContain('broken &lt;script&gt;alert');
    expect(html).not.toContain('<script>alert');
    expect(html).toContain('Response 500');
    expect(html).toContain('&quot;event&quot;: &quot;webhook.test&quot;');
    const part = await developer.get(delivery, { 'hx-request': 'true' });
    expect(part.html).toMatch(/^<section id="attempts"[^>]+hx-get/);
    expect(await developer.post(`${delivery}/retry`)).toMatchObject({ status: 303, location: delivery });
    expect((await developer.get(`${page}?state=delivered`)).html).toContain('No deliveries found.');
    expect((await developer.get(`${page}?state=x`)).status).toBe(422);
    expect((await developer.get(`${page}?page=2`)).html).toContain('No deliveries found.');
  });

  it('delivers the events of a time again', async () => {
    const message = await subject.service.send('siti@example.test');
    await subject.service.untilStatus(message, 'delivered');
    await eventually(async () => expect((await developer.get(`${page}?event=delivered`)).html).toContain(message));
    expect((await send(`${page}/replay`, { from: 'kemarin' }, [])).status).toBe(422);
    const bounces = { from: '2020-01-01T00:00Z', events: 'bounce' };
    expect((await developer.post(`${page}/replay`, bounces)).status).toBe(303);
    expect((await developer.get(page)).html).toContain('0 events queued.');
    const all = await developer.post(`${page}/replay`, { from: '2020-01-01T00:00Z', to: '' });
    expect(all.status).toBe(303);
    expect((await developer.get(page)).html).toContain('1 event queued.');
  });

  it('shows what an endpoint answered to developers only, also in the story of a message', async () => {
    const { html } = await developer.get(`${page}?event=delivered`);
    const [path = ''] = /\/app\/w\/1\/messages\/[0-9a-f-]{36}/.exec(html) ?? [];
    await eventually(async () => expect((await developer.get(path)).html).toContain('broken &lt;'));
    const viewer = await subject.person('reader@toko.example', { 1: 'editor' });
    const shown = await viewer.get(path);
    expect(shown.status).toBe(200);
    expect(shown.html).not.toContain('broken');
  });

  it('is hidden from viewers, and from whoever comes by another workspace', async () => {
    const { stores } = subject.service;
    const other = await stores.workspaces.create({ ...(await stores.workspaces.get(1))!, name: 'Kenanga' });
    const viewer = await subject.person('viewer@toko.example', { 1: 'viewer' });
    const both = await subject.person('both@toko.example', { 1: 'developer', [other.id]: 'developer' });
    const [delivery = ''] = /\/deliveries\/whd_[0-9a-f]{32}/.exec((await developer.get(page)).html) ?? [];
    const elsewhere = page.replace('/w/1/', `/w/${other.id}/`);
    expect((await viewer.get(PAGE)).status).toBe(404);
    expect((await viewer.get('/app/w/1')).html).not.toContain(PAGE);
    for (const [visitor, path] of [
      [viewer, page],
      [both, elsewhere],
    ] as const) {
      for (const part of ['', delivery]) expect((await visitor.get(path + part)).status).toBe(404);
      for (const name of ['test', 'enable', 'disable', 'delete', 'replay']) {
        expect((await visitor.post(`${path}/${name}`, { from: '2020-01-01T00:00Z' })).status).toBe(404);
      }
      expect((await visitor.post(`${path}${delivery}/retry`)).status).toBe(404);
    }
    // A delivery of another webhook is none of this one.
    await send(`${PAGE}/create`, { url }, ['click']);
    const second = (await stores.webhooks.list(1)).at(-1)!.id;
    expect((await developer.get(`${PAGE}/${second}${delivery}`)).status).toBe(404);
    expect((await developer.post(`${PAGE}/${second}${delivery}/retry`)).status).toBe(404);
  });

  it('switches one off and on, and deletes it', async () => {
    expect((await developer.post(`${page}/disable`)).status).toBe(303);
    const off = await developer.get(page);
    expect(off.html).toContain('disabled');
    expect(off.html).not.toContain(`${page}/test`);
    expect((await developer.post(`${page}/test`)).status).toBe(422);
    expect((await developer.post(`${page}/enable`)).status).toBe(303);
    expect((await developer.post(`${page}/delete`)).location).toBe(PAGE);
    expect((await developer.get(page)).status).toBe(404);
  });
});
