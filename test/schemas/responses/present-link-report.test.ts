import { describe, expect, it } from '@jest/globals';
import { linkReport } from '../../../schemas/responses/present-link-report';
import type { CampaignRecipient, LinkClicks, LinkClicksPage } from '../../../stores/ports/campaign-runs';
import { messageId } from '../../support/builders';

const CAMPAIGN = { workspaceId: 1, id: 1 };
const ids = [messageId(), messageId(), messageId()];
const marked = (url: string, n: number): string => `${url}?svc_mid=${ids[n]}`;
const click = (n: number, link: number | null, url: string | null, clicks: number, people: number): LinkClicks => ({
  messageId: ids[n]!,
  link,
  url,
  clicks,
  clicksByPeople: people,
});

const report = (pages: readonly LinkClicksPage[], links: readonly string[], delivered: number) => {
  const recipients = ids.map((id, n): CampaignRecipient => {
    return { contactId: n + 1, email: null, status: 'delivered', reason: null, messageId: id };
  });
  const left = [...pages, { items: [], last: null }];
  const stores = {
    campaignRuns: {
      recipients: async () => recipients,
      linkClicks: async () => left.shift(),
      progress: async () => ({ counts: { delivered } }),
    },
    // The first mail was not handed over.
    messages: { links: async (id: string) => (id === ids[1] ? [...links] : []) },
  };
  return linkReport(stores as unknown as Parameters<typeof linkReport>[0], CAMPAIGN);
};

describe('linkReport', () => {
  it('adds up pages by link: all clicks, those of people, and people; links without a click are there', async () => {
    const [a, b] = ['https://toko.test/a', 'https://toko.test/b'];
    const pages = [
      { items: [click(0, 1, marked(b, 0), 3, 2), click(1, 1, marked(b, 1), 1, 0)], last: 2 },
      { items: [click(2, 1, null, 1, 1), click(2, null, null, 1, 1)], last: 3 },
    ];
    expect(await report(pages, [marked(a, 1), marked(b, 1)], 3)).toEqual([
      { link: 1, url: a, varies: false, clicks: 0, clicksByPeople: 0, people: 0, percent: 0 },
      { link: 2, url: b, varies: false, clicks: 5, clicksByPeople: 3, people: 2, percent: 66.67 },
      { link: null, url: null, varies: false, clicks: 1, clicksByPeople: 1, people: 1, percent: 33.33 },
    ]);
  });

  it('marks a link that leads elsewhere in another mail, and gives no percent while nothing is delivered', async () => {
    const items = [click(0, 0, 'https://toko.test/?u=1&svc_mid=x', 1, 1), click(1, 0, 'https://toko.test/?u=2', 1, 1)];
    expect(await report([{ items, last: 2 }], [], 0)).toMatchObject([
      { link: 1, varies: true, people: 2, percent: null },
    ]);
  });
});
