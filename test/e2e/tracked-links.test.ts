import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '../contract/helpers';
import { describeOnEngines } from '../support/engines';
import { Running } from '../support/running';

const FONT = 'https://fonts.googleapis.com/css?family=Ubuntu:300,400,500,700';
/** As a template of MJML begins. */
const HEAD = `<html><head><!--[if !mso]><!--><link href="${FONT}" rel="stylesheet" type="text/css"><!--<![endif]--></head>`;
const HTML = `${HEAD}<body><a href="https://toko.example/?email={{email}}&amp;nama={{nama|Kak & Co}}#{{nama}}">toko</a></body></html>`;

describeOnEngines('The links of a mail', (install) => {
  let running: Running;
  beforeAll(async () => {
    running = await Running.startOn(install());
  });
  afterAll(() => running.stop());

  /** A delivered mail: its id, and its html as it arrived in the inbox of the sandbox. */
  async function arrived(to: string): Promise<{ id: string; html: string }> {
    const id = await running.send(to, { html: HTML });
    await running.untilStatus(id, 'delivered');
    const inbox = running.kurir.baseUrl.replace('/v1', '/sandbox/inbox');
    const list = await fetch(inbox, { headers: { accept: 'application/json' } });
    const { data } = (await list.json()) as { data: { id: number }[] };
    for (const mail of data) {
      const source = await (await fetch(`${inbox}/${mail.id}/source`)).text();
      if (source.includes(id)) return { id, html: await (await fetch(`${inbox}/${mail.id}/html`)).text() };
    }
    throw new Error(`the mail to ${to} is not in the inbox`);
  }

  const linkOf = ({ html }: { html: string }): string => /<a href="([^"]+\/t\/c\/[^"]+\/0)"/.exec(html)![1]!;
  const follow = (url: string, headers: Record<string, string>): Promise<Response> =>
    fetch(url, { redirect: 'manual', headers });
  const rows = async (path: string, to: string): Promise<unknown[]> => {
    const { body } = await running.api.get(path);
    return (body.data as { email: string }[]).filter(({ email }) => email === to);
  };
  const untilClicks = (to: string, clicks: object): Promise<void> =>
    eventually(async () => expect(await rows('/contacts/engagement?days=1', to)).toMatchObject([clicks]));

  // spec: docs/contract.md#tracked-links: only what a person clicks
  it('are those that a person clicks: a web font is loaded from where it is', async () => {
    const { html } = await arrived('delivered+font@pelanggan.test');
    expect(html).toContain(`<link href="${FONT}" rel="stylesheet" type="text/css">`);
    expect([...html.matchAll(/\/t\/c\/[^"]+\/\d/g)]).toHaveLength(1);
  });

  // spec: docs/contract.md#machines: what a program loads by itself is no click of a person
  it('are not clicked by a program that loads one by itself, which takes no sale from the mail that was clicked', async () => {
    const to = 'delivered+load@pelanggan.test';
    const clicked = await arrived(to);
    const loaded = await arrived(to);
    await follow(linkOf(clicked), { Accept: 'text/html', 'Sec-Fetch-Dest': 'document' });
    await untilClicks(to, { total_clicks: 1, total_clicks_by_people: 1 });
    const load = await follow(linkOf(loaded), { Accept: 'text/css,*/*;q=0.1', 'Sec-Fetch-Dest': 'style' });
    expect(load.status).toBe(302);
    await untilClicks(to, { total_clicks: 2, total_clicks_by_people: 1 });

    await running.api.request('POST', '/conversions', { email: to, order_id: 'order-load', amount: 1 });
    await eventually(async () => {
      const { body } = await running.api.get('/conversions');
      expect(body.data).toMatchObject([{ order_id: 'order-load', message_id: clicked.id }]);
    });
  });

  // spec: docs/contract.md#merge-tags-in-urls: percent-encoded, once
  it('merge tags inside a URL are encoded for their place, once, up to where the link leads', async () => {
    const to = 'delivered+a&b=c%@pelanggan.test';
    await running.api.request('POST', '/contacts', { email: to, name: 'Budi "Ö" #1', consent: true });
    const { headers } = await follow(linkOf(await arrived(to)), {});
    const location = headers.get('location')!;
    const url = new URL(location);
    expect(url.searchParams.get('email')).toBe(to);
    expect(url.searchParams.get('nama')).toBe('Budi "Ö" #1');
    expect(decodeURIComponent(url.hash)).toBe('#Budi "Ö" #1');
    expect(location).toContain('?email=delivered%2Ba%26b%3Dc%25%40pelanggan.test&nama=');
  });
});
