import type { ClientSession } from 'mongodb';
import { tallySignal, type CampaignTally } from '../../../domain/campaign-tally';
import type { Signal, SignalKind } from '../../../domain/signal';
import type { Mongo } from '../database/client';
import { documents } from '../database/documents';

/**
 * Counts new signals for the campaigns of their messages; call it in the transaction that stores them, before they are
 * written. Signals of deleted contacts are not counted.
 */
export async function tallyForCampaigns(
  mongo: Mongo,
  session: ClientSession,
  signals: readonly Signal[],
): Promise<void> {
  const campaigns = await readCampaigns(mongo, session, signals);
  if (campaigns.size === 0) return;
  const earlier = await readEarlier(mongo, session, [...campaigns.keys()]);
  const tallies = new Map<number, CampaignTally>();
  for (const { messageId, kind } of signals) {
    const campaignId = campaigns.get(messageId);
    if (campaignId === undefined) continue;
    const kinds = earlier.get(messageId) ?? new Set();
    const added = tallySignal(kind, kinds);
    earlier.set(messageId, kinds.add(kind));
    const sum = tallies.get(campaignId) ?? { opens: 0, clicks: 0, unsubscribes: 0 };
    tallies.set(campaignId, {
      opens: sum.opens + added.opens,
      clicks: sum.clicks + added.clicks,
      unsubscribes: sum.unsubscribes + added.unsubscribes,
    });
  }
  const changed = [...tallies].filter(([, tally]) => tally.opens + tally.clicks + tally.unsubscribes > 0);
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
  signals: readonly Signal[],
): Promise<Map<string, number>> {
  const ids = [...new Set(signals.map(({ messageId }) => messageId))];
  const messages = await documents(db, 'messages')
    .find({ _id: { $in: ids }, lane: 'campaign' }, { session, projection: { campaignId: 1, contactId: 1 } })
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
): Promise<Map<string, Set<SignalKind>>> {
  const found = await documents(db, 'signals')
    .find({ messageId: { $in: [...messageIds] } }, { session, projection: { messageId: 1, kind: 1 } })
    .toArray();
  const kinds = new Map<string, Set<SignalKind>>();
  for (const { messageId, kind } of found) kinds.set(messageId, (kinds.get(messageId) ?? new Set()).add(kind));
  return kinds;
}
