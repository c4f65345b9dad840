import type { CampaignRef, LinkClicks, LinkClicksPage } from '../../ports/campaign-runs';
import { exists, pageAfter } from '../database/reads';
import type { Mongo } from '../database/client';
import { documents } from '../database/documents';

type Clicks = Omit<LinkClicks, 'url'>;

/** A page of the clicks of a campaign; see CampaignRuns.linkClicks. */
export async function readLinkClicks(
  mongo: Mongo,
  { workspaceId, id }: CampaignRef,
  after: number,
  limit: number,
): Promise<LinkClicksPage> {
  const { db } = mongo;
  const owned = await exists(documents(db, 'campaigns'), { _id: id, workspaceId });
  if (!owned || limit <= 0) return { items: [], last: null };
  const recipients = documents(db, 'campaignRecipients');
  const reading = { projection: { contactId: 1, messageId: 1 }, hint: 'recipients_of_campaign' };
  const page = await pageAfter(recipients, { campaignId: id }, ['contactId', after], limit, reading).toArray();
  const clicks = await countClicks(
    mongo,
    page.flatMap(({ messageId }) => messageId ?? []),
  );
  const urls = await readLinks(mongo, [...new Set(clicks.map(({ messageId }) => messageId))]);
  const items = clicks.map((item) => ({
    ...item,
    url: (item.link === null ? null : urls.get(item.messageId)?.[item.link]) ?? null,
  }));
  return { items, last: page.at(-1)?.contactId ?? null };
}

/** The clicks of some mails by link, in the order of the mails. */
async function countClicks({ db }: Mongo, messageIds: readonly string[]): Promise<Clicks[]> {
  if (messageIds.length === 0) return [];
  const isPerson = { $eq: ['$machine', null] };
  const groups = await documents(db, 'signals')
    .aggregate<Omit<Clicks, 'messageId' | 'link'> & { _id: { messageId: string; link?: number | null } }>(
      [
        { $match: { messageId: { $in: [...messageIds] }, kind: 'click' } },
        {
          $group: {
            _id: { messageId: '$messageId', link: '$link' },
            clicks: { $sum: 1 },
            clicksByPeople: { $sum: { $cond: [isPerson, 1, 0] } },
          },
        },
      ],
      { hint: 'signals_of_message' },
    )
    .toArray();
  const order = new Map(messageIds.map((messageId, place) => [messageId, place]));
  const found = groups.map(({ _id, clicks, clicksByPeople }) => ({
    messageId: _id.messageId,
    link: _id.link ?? null,
    clicks,
    clicksByPeople,
  }));
  const placeOf = ({ messageId }: Clicks): number => order.get(messageId) ?? 0;
  return found.sort((a, b) => placeOf(a) - placeOf(b) || (a.link ?? -1) - (b.link ?? -1));
}

async function readLinks({ db }: Mongo, messageIds: readonly string[]): Promise<Map<string, string[]>> {
  const found = documents(db, 'messages').find({ _id: { $in: [...messageIds] } }, { projection: { links: 1 } });
  return new Map((await found.toArray()).map(({ _id, links = [] }) => [_id, links]));
}
