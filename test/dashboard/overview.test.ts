import { describe, expect, it } from '@jest/globals';
import { aSignal, aWebhook } from '../support/builders';
import { dashboarded } from './visitor';

/** The figures of the cards, by their labels. */
const cardsOf = (html: string): Record<string, string> =>
  Object.fromEntries([...html.matchAll(/<b>([^<]*)<\/b>([^<]*)<br ?\/?>/g)].map(([, n, label]) => [label!.trim(), n!]));

describe('the overview', () => {
  const subject = dashboarded();

  it('adds up, and each figure leads to its list', async () => {
    const { service } = subject;
    await service.untilStatus(await service.send('siti@penerima.example'), 'delivered');
    await service.untilStatus(await service.send('hardbounce@penerima.example'), 'bounced');
    await service.send('nanti@penerima.example', { send_at: new Date(service.clock.now() + 3_600_000).toISOString() });
    const visitor = await subject.person('viewer@toko.example', { 1: 'viewer' });
    const { html } = await visitor.get('/app/w/1');
    const { Accepted, Sent, Delivered, Bounced, Queued, Balance: coins } = cardsOf(html);
    expect({ Accepted, Sent, Delivered, Bounced, Queued }).toEqual({
      Accepted: '3',
      Sent: '2',
      Delivered: '1',
      Bounced: '1',
      Queued: '1',
    });
    expect(Number(coins?.replace(/\D/g, ''))).toBeGreaterThan(90_000);
    expect(html).toContain('66.7% of 3 accepted');
    expect(html).toContain('50% of 2 sent');
    const [, list = ''] = /href="(\/app\/w\/1\/messages\?[^"]*status=bounced)"/.exec(html) ?? [];
    expect((await visitor.get(list.replaceAll('&amp;', '&'))).html).toContain('hardbounce@penerima.example');
  });

  it('shows what people did apart from machines, and every list has as many as its figure says', async () => {
    const { service } = subject;
    const { stores } = service;
    const [read, scanned] = [
      await service.send('dibuka@penerima.example'),
      await service.send('mesin@penerima.example'),
    ];
    for (const id of [read, scanned]) await service.untilStatus(id, 'delivered');
    const at = service.clock.now();
    await stores.signals.store(aSignal(read, { kind: 'click', at, machine: null }), 1, []);
    await stores.signals.store(aSignal(scanned, { kind: 'open', at, machine: 'agent' }), 1, []);
    await stores.messages.change(read, () => ({ set: { complainedAt: at }, at, records: [] }));
    const visitor = await subject.person('viewer@toko.example', { 1: 'viewer' });
    const { html } = await visitor.get('/app/w/1?days=30');
    const cards = cardsOf(html);
    expect(cards).toMatchObject({
      Opened: '1',
      Clicked: '1',
      'Opened by bots only': '1',
      'Reported as spam': '1',
    });
    const links = [...html.matchAll(/href="([^"]*\/messages\?[^"]*)"><b>([^<]*)<\/b>([^<]*)</g)];
    expect(links.length).toBeGreaterThanOrEqual(12);
    for (const [, href = '', figure, label] of links) {
      const found = (await visitor.get(href.replaceAll('&amp;', '&'))).html;
      expect([label, />([\d,]+) messages?</.exec(found)?.[1]]).toEqual([label, figure]);
    }
  });

  it('draws the curve from data in the page, beside the same in a table, by day or by hour', async () => {
    const visitor = await subject.person('viewer@toko.example', { 1: 'viewer' });
    const byDay = await visitor.get('/app/w/1?days=7');
    const [, data = ''] = /data-chart="([^"]*)"/.exec(byDay.html) ?? [];
    const { at, series } = JSON.parse(data.replaceAll('&quot;', '"')) as {
      at: number[];
      series: { values: number[] }[];
    };
    expect([at.length, series.length]).toEqual([7, 6]);
    expect(byDay.html).toMatch(/src="[^"]*\/chart\.js" defer/);
    expect(byDay.html).not.toMatch(/<script>|style="/);
    expect((await visitor.get('/app/w/1?days=1')).html).toContain('<th scope="col" class="time">Hour</th>');
    const wrong = await visitor.get('/app/w/1?by=hour&since=2020-01-01');
    expect(wrong.status).toBe(422);
    expect(wrong.html).toContain('at most 31 days by hour');
  });

  it('names a webhook that is off, to those who see to webhooks', async () => {
    const { stores } = subject.service;
    const made = await stores.webhooks.create(aWebhook(1, { url: 'https://mati.example/x' }), 5);
    await stores.webhooks.disable(made!.id);
    const developer = await subject.person('dev@toko.example', { 1: 'developer' });
    expect((await developer.get('/app/w/1')).html).toContain('Webhook https://mati.example/x is disabled');
    const viewer = await subject.person('viewer@toko.example', { 1: 'viewer' });
    expect((await viewer.get('/app/w/1')).html).not.toContain('mati.example');
  });

  it('says what needs attention, and escapes what people name', async () => {
    const { stores } = subject.service;
    const made = await stores.workspaces.create({
      ...(await stores.workspaces.get(1))!,
      name: '<script>alert("x")</script>',
      emailModule: false,
    });
    const visitor = await subject.person('owner@toko.example', { [made.id]: 'owner' });
    const { html } = await visitor.get(`/app/w/${made.id}`);
    for (const said of ['The email module is off', 'Only 0 coins left.', 'Add a sending domain'])
      expect(html).toContain(said);
    expect(html).toContain('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;');
    expect(html).not.toContain('<script>alert');
  });
});
