import type { Db } from 'mongodb';
import { HOLD } from '../../../domain/campaigns/campaign-run';
import type { MailClass } from '../../../domain/destinations/pace';
import { LANES, type Lane } from '../../../domain/messages/message';
import type { ClaimResult } from '../../../domain/queue/claim';
import type { ClaimRequest, SendQueue, WaitingTurn } from '../../ports/send-queue';
import { claim, type ClaimParts } from './claim';
import type { Mongo } from '../database/client';
import { documents } from '../database/documents';
import { GroupedBy } from '../transactions/grouped-by';
import { guarded } from '../transactions/guard';
import { holdMessages, readDue, releaseHeld } from './held-messages';
import { claimsOn } from './send-days';

/** The claims of a process for one shard take turns: all write its lease, so concurrent ones would only conflict. */
export const claimsInTurn = (parts: ClaimParts): GroupedBy<string, ClaimRequest, ClaimResult> =>
  new GroupedBy((_, requests, how) => Promise.all(requests.map((request) => claim(parts, request, how))), {
    maxItems: 1,
  });

/** MongoDB driver of SendQueue. */
export function sendQueue(mongo: Mongo, claims: GroupedBy<string, ClaimRequest, ClaimResult>): SendQueue {
  return guarded<SendQueue>({
    claim: (request) => claims.submit(request.lease.name, request),
    due: (workspaceId, lane, now, limit) => readDue(mongo, workspaceId, lane, now, limit),
    hold: (workspaceId, holds, now) => holdMessages(mongo, workspaceId, holds, now),
    release: (heldFor, turns) => releaseHeld(mongo, heldFor, turns),
    workspacesWaiting: (after, limit) => workspacesWaiting(mongo, after, limit),
    nextDue: async (workspaceId) => {
      const due = await Promise.all(LANES.map((lane) => nextDue(mongo, workspaceId, lane)));
      return Object.fromEntries(due.flat());
    },
    waiting: async (workspaceId, dueBy, limit) =>
      (await Promise.all(LANES.map((lane) => waiting(mongo, workspaceId, lane, dueBy, limit)))).flat(),
    recentClaims: (workspaceId, since, limit, until) => recentClaims(mongo, workspaceId, { since, until }, limit),
    claimsOn: (day, workspaceId) => claimsOn(mongo, day, workspaceId),
    backlogByClass: (limit) => backlogByClass(mongo, limit),
  });
}

async function backlogByClass({ db }: Mongo, limit: number): Promise<Record<MailClass, number>> {
  const found = documents(db, 'messages').aggregate<{ _id: MailClass; n: number }>(
    [
      { $match: { stage: 'claimed' } },
      { $limit: limit },
      { $group: { _id: { $cond: [{ $eq: ['$lane', 'transactional'] }, 'transactional', 'bulk'] }, n: { $sum: 1 } } },
    ],
    { hint: 'messages_by_stage' },
  );
  const counts = { transactional: 0, bulk: 0 };
  for (const { _id, n } of await found.toArray()) counts[_id] = n;
  return counts;
}

/**
 * Steps from workspace to workspace in the index of the queue (a distinct scan). It groups before it answers, so each
 * look is at a range of workspaces only: its cost grows neither with the queue nor with what waits behind the page.
 */
export async function workspacesWaiting({ db }: Mongo, after: number, limit: number): Promise<number[]> {
  const waiting: number[] = [];
  for (let [last, width] = [after, limit]; waiting.length < limit; width = Math.min(2 * width, WIDEST)) {
    const first = await documents(db, 'messages').findOne(
      { status: 'queued', workspaceId: { $gt: last } },
      { projection: { _id: 0, workspaceId: 1 }, sort: { status: 1, workspaceId: 1 }, hint: 'messages_queued' },
    );
    if (!first) break;
    last = first.workspaceId + width;
    const range = { $gte: first.workspaceId, $lte: last };
    waiting.push(...(await workspacesIn(db, range)));
  }
  return waiting.slice(0, limit);
}

/** The widest range of workspaces that one query groups. */
const WIDEST = 10_000;

async function workspacesIn(db: Db, workspaceId: { $gte: number; $lte: number }): Promise<number[]> {
  const found = documents(db, 'messages').aggregate<{ _id: number }>(
    [
      { $match: { status: 'queued', workspaceId } },
      { $sort: { status: 1, workspaceId: 1 } },
      { $group: { _id: '$workspaceId' } },
      { $sort: { _id: 1 } },
    ],
    { hint: 'messages_queued' },
  );
  return (await found.toArray()).map(({ _id }) => _id);
}

/** The earliest due time of a lane of a workspace, if anything waits there; see SendQueue. */
export async function nextDue({ db }: Mongo, workspaceId: number, lane: Lane): Promise<[Lane, number][]> {
  const first = await documents(db, 'messages').findOne(
    { status: 'queued', workspaceId, lane, dueAt: { $gte: 0, $lt: HOLD } },
    { projection: { _id: 0, dueAt: 1 }, sort: { dueAt: 1 }, hint: 'messages_queued' },
  );
  return first?.dueAt == null ? [] : [[lane, first.dueAt]];
}

async function waiting(
  { db }: Mongo,
  workspaceId: number,
  lane: Lane,
  dueBy: number,
  limit: number,
): Promise<WaitingTurn[]> {
  if (limit <= 0) return [];
  const found = documents(db, 'messages')
    .find({ status: 'queued', workspaceId, lane, dueAt: { $lte: dueBy } }, { projection: { dueAt: 1 } })
    .sort({ dueAt: 1, _id: 1 })
    .limit(limit)
    .hint('messages_queued');
  return (await found.toArray()).map(({ _id: messageId, dueAt }) => ({ messageId, lane, dueAt: dueAt! }));
}

/**
 * The newest claims belong to the messages with the newest last claims: a message claimed earlier as well is found by
 * its last claim. So an index on the last claim of each message is enough, and no list of times needs one.
 */
async function recentClaims(
  { db }: Mongo,
  workspaceId: number,
  { since, until = Infinity }: { since: number; until?: number | undefined },
  limit: number,
): Promise<number[]> {
  if (limit <= 0) return [];
  const found = documents(db, 'messages')
    .find({ workspaceId, claimedAt: { $gte: since, $lte: until } }, { projection: { _id: 0, 'attempts.claimedAt': 1 } })
    .sort({ claimedAt: -1 })
    .limit(limit)
    .hint('messages_by_last_claim');
  return (await found.toArray())
    .flatMap(({ attempts }) => attempts.map(({ claimedAt }) => claimedAt))
    .filter((at) => at >= since && at <= until)
    .sort((a, b) => b - a)
    .slice(0, limit);
}
