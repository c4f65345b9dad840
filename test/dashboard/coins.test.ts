import { describe, expect, it } from '@jest/globals';
import { dashboarded } from './visitor';

describe('the coins of the dashboard', () => {
  const subject = dashboarded();

  it('say where the newest went, by kind, above the rows', async () => {
    const { service } = subject;
    await service.untilStatus(await service.send('hardbounce@penerima.example'), 'bounced');
    await service.untilStatus(await service.send('siti@penerima.example'), 'delivered');
    const viewer = await subject.person('viewer@toko.example', { 1: 'viewer' });
    const { html } = await viewer.get('/app/w/1/coins');
    const cards = [...html.matchAll(/<li class="card">(.*?)<\/li>/gs)].map(([, card = '']) =>
      card
        .replace(/<[^>]*>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    );
    expect(cards).toEqual([
      expect.stringMatching(/^[\d,]+ Balance/),
      '-2 email sent 2 entries',
      '-4 penalty 1 entry',
      expect.stringMatching(/^[\d,]+ top-up 1 entry$/),
    ]);
    const rows = html.match(/<tr>/g)?.length ?? 0;
    expect(rows).toBe(1 + 4);
    const [first] = await service.stores.coins.newest(1, 1);
    const later = await viewer.get(`/app/w/1/coins?before=${first!.seq}`);
    expect(later.html).not.toContain('2 entries');
    expect(later.html.match(/<tr>/g)?.length).toBe(rows - 1);
  });
});
