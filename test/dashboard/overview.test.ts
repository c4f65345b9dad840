import { describe, expect, it } from '@jest/globals';
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
    const { accepted, delivered, bounced, queued, coins } = cardsOf(html);
    expect({ accepted, delivered, bounced, queued }).toEqual({
      accepted: '3',
      delivered: '1',
      bounced: '1',
      queued: '1',
    });
    expect(Number(coins?.replace(/\D/g, ''))).toBeGreaterThan(90_000);
    expect(html).toContain('33.3% of those accepted');
    const [, list = ''] = /href="(\/app\/w\/1\/messages\?[^"]*status=bounced)"/.exec(html) ?? [];
    expect((await visitor.get(list.replaceAll('&amp;', '&'))).html).toContain('hardbounce@penerima.example');
  });

  it('says what needs a hand, and escapes what people name', async () => {
    const { stores } = subject.service;
    const made = await stores.workspaces.create({
      ...(await stores.workspaces.get(1))!,
      name: '<script>alert("x")</script>',
      emailModule: false,
    });
    const visitor = await subject.person('owner@toko.example', { [made.id]: 'owner' });
    const { html } = await visitor.get(`/app/w/${made.id}`);
    for (const said of ['The email module is off', 'Only 0 coins are left', 'no sending domain yet'])
      expect(html).toContain(said);
    expect(html).toContain('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;');
    expect(html).not.toContain('<script>alert');
  });
});
