import { beforeAll, describe, expect, it } from '@jest/globals';
import { aSignal } from '../support/builders';
import { aConversion } from '../support/marketing';
import { dashboarded, type Visitor } from './visitor';

const PAGE = '/app/w/1/conversions';

describe('the conversions of the dashboard', () => {
  const subject = dashboarded();
  let viewer: Visitor;
  let message: string;
  let sale: string;
  beforeAll(async () => {
    viewer = await subject.person('viewer@toko.example', { 1: 'viewer', 2: 'viewer' });
    const { service } = subject;
    const { stores, clock } = service;
    await stores.workspaces.create({ ...(await stores.workspaces.get(1))!, name: 'Lain' });
    message = await service.send('siti@example.com');
    await service.untilStatus(message, 'delivered');
    const now = clock.now();
    for (const ago of [120_000, 60_000]) {
      await stores.signals.store(aSignal(message, { kind: 'click', at: now - ago, link: 0 }), 1, []);
    }
    const sold = aConversion(1, { messageId: message, amount: 250_000, orderId: 'INV-<1>', occurredAt: now });
    await stores.conversions.accept(sold);
    await stores.conversions.link(sold.id);
    sale = sold.id;
  });

  it('are listed with what led to them, and added up', async () => {
    const { html } = await viewer.get(`${PAGE}?by=message`);
    expect(html).toContain('Rp\u00a0250,000 from 1 sale');
    expect(html).toContain('INV-&lt;1&gt;');
    expect(html).toContain(`/app/w/1/messages/${message}`);
    expect((await viewer.get(`${PAGE}?by=day&until=2020-01-01`)).html).toContain('No sales in this period.');
    for (const query of ['by=week', 'since=x', 'page=0']) {
      expect((await viewer.get(`${PAGE}?${query}`)).status).toBe(422);
    }
  });

  it('are handed out as a file, as the filters leave them', async () => {
    const { html, headers } = await viewer.get(`${PAGE}/export?by=day`);
    expect(headers.get('content-type')).toContain('text/csv');
    const [titles, row, ...rest] = html.split('\r\n');
    expect(titles).toMatch(/^id,order_id,amount,occurred_at/);
    expect(row).toMatch(new RegExp(`^${sale},INV-<1>,250000,`));
    expect(rest).toEqual(['']);
    expect((await viewer.get(`${PAGE}/export?until=2020-01-01`)).html).toBe(`${titles}\r\n`);
    expect((await viewer.get(`${PAGE}/export?since=x`)).status).toBe(422);
    expect((await viewer.get('/app/w/2/conversions/export')).html).toBe(`${titles}\r\n`);
  });

  it('each show the click that earned it, and those passed over', async () => {
    const { html } = await viewer.get(`${PAGE}/${sale}`);
    expect(html).toContain('Sale of Rp\u00a0250,000');
    expect(html).toContain('a later click counts');
  });

  it('are not there under another workspace, for a stranger, or by a wrong id', async () => {
    expect((await viewer.get(`/app/w/2/conversions/${sale}`)).status).toBe(404);
    const stranger = await subject.person('stranger@toko.example', {});
    expect((await stranger.get(`${PAGE}/${sale}`)).status).toBe(404);
    expect((await viewer.get(`${PAGE}/x`)).status).toBe(422);
  });
});
