import type { TallyRecord } from '../../../domain/audit/check-campaign-tally';
import { addTallies, NO_TALLY, type CampaignTally } from '../../../domain/campaigns/campaign-tally';
import { documents } from '../database/documents';
import { pages, type Snapshot } from '../transactions/snapshot';

/** Emails whose signals are read together. */
const MAILS = 1_000;

/** The tally of a campaign, and what its signals add up to. */
export async function readTally(snapshot: Snapshot, campaignId: number): Promise<TallyRecord> {
  const { db, moment } = snapshot;
  const found = await documents(db, 'campaignTallies').findOne({ _id: campaignId }, moment);
  const stored = found ?? NO_TALLY;
  let least = NO_TALLY;
  let most = NO_TALLY;
  const messages = documents(db, 'messages')
    .find({ lane: 'campaign', campaignId }, { ...moment, batchSize: MAILS, projection: { contactId: 1 } })
    .hint('messages_of_campaign');
  for await (const page of pages(messages, MAILS)) {
    const present = await presentContacts(
      snapshot,
      page.map(({ contactId }) => contactId),
    );
    const tallies = await talliesOf(
      snapshot,
      page.map(({ _id }) => _id),
    );
    for (const { _id, contactId } of page) {
      const tally = tallies.get(_id);
      if (!tally) continue;
      const { opens, clicks } = tally;
      if (present.has(contactId)) least = addTallies(least, tally);
      most = addTallies(
        most,
        present.has(contactId) ? tally : { ...tally, opensByPeople: opens, clicksByPeople: clicks },
      );
    }
  }
  return { stored, least, most };
}

async function presentContacts({ db, moment }: Snapshot, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const found = documents(db, 'contacts').find({ _id: { $in: [...ids] } }, { ...moment, projection: { _id: 1 } });
  return new Set((await found.toArray()).map(({ _id }) => _id));
}

/** What each email adds to the tally of its campaign. */
async function talliesOf({ db, moment }: Snapshot, ids: readonly string[]): Promise<Map<string, CampaignTally>> {
  const isOpen = { $in: ['$kind', ['open', 'click']] };
  const isClick = { $eq: ['$kind', 'click'] };
  const isPerson = { $eq: [{ $ifNull: ['$machine', null] }, null] };
  const any = (condition: object): object => ({ $max: { $cond: [condition, 1, 0] } });
  const found = documents(db, 'signals').aggregate<CampaignTally & { _id: string }>(
    [
      { $match: { messageId: { $in: [...ids] } } },
      {
        $group: {
          _id: '$messageId',
          opens: any(isOpen),
          clicks: any(isClick),
          unsubscribes: any({ $eq: ['$kind', 'unsubscribe'] }),
          opensByPeople: any({ $and: [isOpen, isPerson] }),
          clicksByPeople: any({ $and: [isClick, isPerson] }),
        },
      },
    ],
    moment,
  );
  return new Map((await found.toArray()).map((tally) => [tally._id, tally]));
}
