import type { ClientSession } from 'mongodb';
import {
  addTallies,
  isNoTally,
  NO_TALLY,
  tallyPeople,
  tallySignal,
  type CampaignTally,
} from '../../../domain/campaigns/campaign-tally';
import type { PeopleChange } from '../../../domain/engagement/engagement';
import type { HitKind } from '../../../domain/engagement/machine';
import type { Signal } from '../../../domain/engagement/signal';
import type { Mongo } from '../database/client';
import { documents } from '../database/documents';

/**
 * Counts new signals, and the changes of the counts of people, for the campaigns of the messages; call it in the
 * transaction that stores them, before they are written. Signals of deleted contacts are not counted.
 */
export async function tallyForCampaigns(
  mongo: Mongo,
  session: ClientSession,
  signals: readonly Pick<Signal, 'messageId' | 'kind'>[],
  people: ReadonlyMap<string, PeopleChange>,
): Promise<void> {
  const mails = [...new Set([...signals.map(({ messageId }) => messageId), ...people.keys()])];
  const campaigns = await readCampaigns(mongo, session, mails);
  if (campaigns.size === 0) return;
  const earlier = await readEarlier(mongo, session, [...campaigns.keys()]);
  const tallies = new Map<number, CampaignTally>();
  const add = (campaignId: number, tally: CampaignTally): void => {
    tallies.set(campaignId, addTallies(tallies.get(campaignId) ?? NO_TALLY, tally));
  };
  for (const { messageId, kind } of signals) {
    const campaignId = campaigns.get(messageId);
    if (campaignId === undefined) continue;
    const kinds = earlier.get(messageId) ?? new Set();
    add(campaignId, tallySignal(kind, kinds));
    earlier.set(messageId, kinds.add(kind));
  }
  for (const [messageId, { before, after }] of people) {
    const campaignId = campaigns.get(messageId);
    if (campaignId !== undefined) add(campaignId, tallyPeople(before, after));
  }
  const changed = [...tallies].filter(([, tally]) => !isNoTally(tally));
  if (changed.length === 0) return;
  await documents(mongo.db, 'campaignTallies').bulkWrite(
    changed.map(([_id, tally]) => ({ updateOne: { filter: { _id }, update: { $inc: { ...tally } }, upsert: true } })),
    { session },
  );
}

/** The campaigns of messages whose contacts still exist. */
async function readCampaigns(
  { db }: Mongo,
  session: ClientSession,
  messageIds: readonly string[],
): Promise<Map<string, number>> {
  const messages = await documents(db, 'messages')
    .find({ _id: { $in: [...messageIds] }, lane: 'campaign' }, { session, projection: { campaignId: 1, contactId: 1 } })
    .toArray();
  if (messages.length === 0) return new Map();
  const contacts = await documents(db, 'contacts')
    .find({ _id: { $in: messages.map(({ contactId }) => contactId) } }, { session, projection: { _id: 1 } })
    .toArray();
  const present = new Set(contacts.map(({ _id }) => _id));
  return new Map(
    messages.flatMap(({ _id, campaignId, contactId }): [string, number][] =>
      campaignId !== null && present.has(contactId) ? [[_id, campaignId]] : [],
    ),
  );
}

async function readEarlier(
  { db }: Mongo,
  session: ClientSession,
  messageIds: readonly string[],
): Promise<Map<string, Set<HitKind>>> {
  const found = await documents(db, 'signals')
    .find({ messageId: { $in: [...messageIds] } }, { session, projection: { messageId: 1, kind: 1 } })
    .toArray();
  const kinds = new Map<string, Set<HitKind>>();
  for (const { messageId, kind } of found) kinds.set(messageId, (kinds.get(messageId) ?? new Set()).add(kind));
  return kinds;
}
