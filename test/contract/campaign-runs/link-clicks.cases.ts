import { expect, it } from '@jest/globals';
import type { LinkClicks } from '../../../stores/ports/campaign-runs';
import { aSignal } from '../../support/builders';
import { TEST_START } from '../../support/clock';
import { sharedEngine, type OpenEngine } from '../harness';
import { at } from '../helpers';
import { messagesOf, running } from './support';

const LINKS = ['https://toko.test/a', 'https://toko.test/b'];

/** The clicks of a campaign by link. */
export function describeLinkClicks(open: OpenEngine): void {
  const subject = sharedEngine(open);

  it('reads the clicks of a campaign by mail and link in pages of recipients, those of machines apart', async () => {
    const { campaign, members } = await running(subject, { members: 4 });
    const { campaignRuns, messages: store, signals } = subject.stores;
    const messages = await messagesOf(subject, campaign);
    const idOf = (n: number): string => at(messages, n).id;
    for (const { id } of messages)
      await store.change(id, () => ({ set: {}, at: TEST_START, records: [], links: LINKS }));
    const hits = [
      { n: 0, link: 1 },
      { n: 0, link: 1, time: 60_000 },
      { n: 0, link: 0, time: 120_000 },
      { n: 0, link: 0, time: 180_000, machine: 'agent' },
      { n: 1, link: 1, machine: 'agent' },
      { n: 3, link: null },
    ] as const;
    for (const { n, link, ...more } of hits) {
      const { time = 0, machine = null } = { ...more } as { time?: number; machine?: 'agent' | null };
      const click = aSignal(idOf(n), { kind: 'click', link, machine });
      await signals.store({ ...click, at: click.at + time }, campaign.workspaceId, []);
    }
    await signals.store(aSignal(idOf(2), { kind: 'open' }), campaign.workspaceId, []);
    const item = (n: number, link: number | null, clicks: number, clicksByPeople: number): LinkClicks => ({
      messageId: idOf(n),
      link,
      url: link === null ? null : at(LINKS, link),
      clicks,
      clicksByPeople,
    });
    const [first, second, third] = [item(0, 0, 2, 1), item(0, 1, 2, 2), item(1, 1, 1, 0)];
    const lastOf = (n: number): number => at(members, n).id;
    expect(await campaignRuns.linkClicks(campaign, 0, 2)).toEqual({ items: [first, second, third], last: lastOf(1) });
    expect(await campaignRuns.linkClicks(campaign, lastOf(1), 1)).toEqual({ items: [], last: lastOf(2) });
    expect(await campaignRuns.linkClicks(campaign, lastOf(1), 10)).toEqual({
      items: [item(3, null, 1, 1)],
      last: lastOf(3),
    });
    const none = { items: [], last: null };
    expect(await campaignRuns.linkClicks(campaign, lastOf(3), 10)).toEqual(none);
    expect(await campaignRuns.linkClicks({ ...campaign, workspaceId: campaign.workspaceId + 1 }, 0, 10)).toEqual(none);
  });
}
