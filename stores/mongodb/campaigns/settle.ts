import type { ClientSession } from 'mongodb';
import { HOLD } from '../../../domain/campaigns/campaign-run';
import { CANCELLED_MESSAGE, planCancellation, settlement } from '../../../domain/campaigns/campaign-steps';
import type { OutgoingRecord } from '../../../streams/records';
import type { CampaignRef, Settled } from '../../ports/campaign-runs';
import { expectMatched } from '../database/writes';
import type { Mongo } from '../database/client';
import { documents } from '../database/documents';
import type { Written } from '../log/outbox';
import { writeOutbox } from '../log/outbox-entries';
import { transact } from '../transactions/transact';
import { readRows, writeStep, type StepParts } from './feed';
import { readRun } from './run-fields';

const NOTHING: Settled = { settled: 0, failed: 0 };

/** Takes messages off hold, or ends what waits of a cancelled campaign; see CampaignRuns.settle. */
export async function settle(parts: StepParts, ref: CampaignRef, limit: number, at: number): Promise<Settled> {
  const { mongo, outbox } = parts;
  const { written, ...done } = await transact(mongo, async (session): Promise<Settled & { written?: Written }> => {
    const found = await readRun(mongo, session, ref);
    const what = found && settlement(found.campaign);
    if (!what) return NOTHING;
    if (what === 'release') return release(parts, session, ref, limit);
    const rows = await readRows(mongo, session, ref.id, found.run, limit);
    if (rows.length > 0) {
      await writeStep(mongo, session, ref.id, planCancellation(rows));
      return { settled: rows.length, failed: 0 };
    }
    const failed = await failQueued(mongo, session, ref.id, limit, at);
    return { settled: failed, failed };
  });
  if (written) outbox.enqueue(written);
  return done;
}

async function queuedIds(
  { db }: Mongo,
  session: ClientSession,
  campaignId: number,
  limit: number,
  from = 0,
): Promise<string[]> {
  const found = await documents(db, 'messages')
    .find(
      { lane: 'campaign', campaignId, status: 'queued', dueAt: { $gte: from } },
      { session, projection: { _id: 1 } },
    )
    .sort({ dueAt: 1 })
    .limit(limit)
    .hint('messages_of_campaign')
    .toArray();
  return found.map(({ _id }) => _id);
}

async function release(
  parts: StepParts,
  session: ClientSession,
  ref: CampaignRef,
  limit: number,
): Promise<Settled & { written?: Written }> {
  const { mongo, now } = parts;
  const ids = await queuedIds(mongo, session, ref.id, limit, HOLD);
  if (ids.length === 0) return NOTHING;
  const held = { _id: { $in: ids }, status: 'queued' as const, dueAt: { $gte: HOLD } };
  const update = { $inc: { dueAt: -HOLD, version: 1 } };
  const released = await documents(mongo.db, 'messages').updateMany(held, update, { session });
  expectMatched(released, ids.length, 'A message was changed in the meantime.');
  // Wakes the throttle once the transaction is committed.
  const { workspaceId } = ref;
  const value = { workspaceId, messageId: ids[0]!, bulk: true as const };
  const records: OutgoingRecord[] = [{ topic: 'messages.accepted', key: String(workspaceId), value }];
  return { settled: ids.length, failed: 0, written: await writeOutbox(mongo, session, records, now()) };
}

async function failQueued(
  mongo: Mongo,
  session: ClientSession,
  campaignId: number,
  limit: number,
  at: number,
): Promise<number> {
  const ids = await queuedIds(mongo, session, campaignId, limit);
  if (ids.length === 0) return 0;
  const failed = await documents(mongo.db, 'messages').updateMany(
    { _id: { $in: ids }, status: 'queued' },
    { $set: CANCELLED_MESSAGE, $push: { history: { status: 'failed', at } }, $inc: { version: 1 } },
    { session },
  );
  expectMatched(failed, ids.length, 'A message was changed in the meantime.');
  return ids.length;
}
