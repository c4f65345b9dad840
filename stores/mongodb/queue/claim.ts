import { type ClientSession, type UpdateFilter } from 'mongodb';
import { HOLD } from '../../../domain/campaigns/campaign-run';
import { COIN_PER_MAIL, ledgerId } from '../../../domain/ledger/coins';
import type { OutgoingRecord } from '../../../streams/records';
import { claimAllowance, claimResult } from '../../../domain/queue/claim';
import type { ClaimResult } from '../../../domain/queue/claim';
import { texts } from '../../../domain/texts';
import type { ClaimRequest } from '../../ports/send-queue';
import { dispatchRecord } from '../../shared/dispatch-record';
import { finishDropping } from '../messages/attachments';
import { lookUpClaim, type Candidate, type ClaimLookups } from './claim-lookups';
import { compareAndSet, expectMatched } from '../database/writes';
import type { Mongo } from '../database/client';
import { Conflict, type Attempt } from '../transactions/contention';
import { documents, type MessageDocument } from '../database/documents';
import { writeOutbox } from '../log/outbox-entries';
import type { Outbox, Written } from '../log/outbox';
import { claimsForCaps, countClaims } from './send-days';
import { transact } from '../transactions/transact';

/** The parts that claiming needs. */
export interface ClaimParts {
  mongo: Mongo;
  outbox: Outbox;
  now: () => number;
}

type Refused = Candidate & { reason: string };
interface Claim {
  result: ClaimResult;
  /** What to publish, and whose attachments to delete, once it is committed. */
  written?: Written;
  dropped?: string[];
}

/**
 * One claim (docs/architecture.md#pacing-and-claim) in one transaction. It starts over when anything it decided on has
 * changed.
 */
export async function claim(parts: ClaimParts, request: ClaimRequest, how: Attempt): Promise<ClaimResult> {
  const { mongo, outbox } = parts;
  const attempt = (session: ClientSession) => tryClaim(parts, session, request);
  const { result, written, dropped } = await transact(mongo, attempt, how);
  if (written) outbox.enqueue(written);
  // The notes in the messages tell the sweeper if this fails.
  if (dropped) await finishDropping(mongo, dropped).catch(() => undefined);
  return result;
}

async function tryClaim(parts: ClaimParts, session: ClientSession, request: ClaimRequest): Promise<Claim> {
  const { mongo } = parts;
  const lookups = await lookUpClaim(mongo, request);
  if (!(await holdLease(mongo, session, request))) return { result: { kind: 'fenced' } };
  const allowance = claimAllowance(request, await claimsForCaps(mongo, session, request));
  if (allowance.left <= 0) return { result: { kind: 'claimed', claimed: [], refused: 0, stop: allowance.stop } };
  const { only } = request;
  const candidates = lookups.candidates.slice(0, allowance.left).filter(({ _id: id }) => !only || only.has(id));
  const { taken, refused, held } = sort(candidates, lookups);
  await hold(mongo, session, held, request.now);
  await refuse(mongo, session, refused, request.now);
  const written = taken.length > 0 ? await take(parts, session, taken, request) : null;
  const dropped = refused.flatMap(({ _id: id, attachmentsUntil }) => (attachmentsUntil === null ? [] : [id]));
  const claimed = taken.map(({ _id: id }) => id);
  return {
    result: claimResult(allowance, candidates.length, claimed, refused.length),
    dropped,
    ...(written ? { written } : {}),
  };
}

/**
 * Writes to the lease itself: a change of owner at the same time conflicts, so that no claim of the old owner comes
 * after it.
 */
async function holdLease({ db }: Mongo, session: ClientSession, { lease }: ClaimRequest): Promise<boolean> {
  return compareAndSet(
    documents(db, 'leases'),
    { _id: lease.name, owner: lease.owner, epoch: lease.epoch },
    { $inc: { claims: 1 } },
    { session },
  );
}

interface Sorted {
  taken: Candidate[];
  refused: Refused[];
  /** Of a paused campaign. */
  held: Candidate[];
}

function sort(candidates: readonly Candidate[], lookups: ClaimLookups): Sorted {
  const taken: Candidate[] = [];
  const refused: Refused[] = [];
  const held: Candidate[] = [];
  for (const candidate of candidates) {
    const turn = lookups.turn(candidate);
    if (turn === 'hold') {
      held.push(candidate);
      continue;
    }
    const coinLeft = lookups.balance - taken.length * COIN_PER_MAIL >= COIN_PER_MAIL;
    const reason = turn === 'cancel' ? texts.campaignCancelled : lookups.refusal(candidate, coinLeft);
    if (reason === null) taken.push(candidate);
    else refused.push({ ...candidate, reason });
  }
  return { taken, refused, held };
}

async function hold(mongo: Mongo, session: ClientSession, held: readonly Candidate[], now: number): Promise<void> {
  for (const group of groupBy(held, ({ attempt }) => String(attempt))) {
    await updateQueued(mongo, session, group, now, { $inc: { dueAt: HOLD } });
  }
}

async function refuse(mongo: Mongo, session: ClientSession, refused: readonly Refused[], now: number): Promise<void> {
  const alike = groupBy(
    refused,
    ({ reason, attempt, attachmentsUntil }) => `${attempt} ${attachmentsUntil === null} ${reason}`,
  );
  for (const group of alike) {
    const { reason, attachmentsUntil } = group[0]!;
    await updateQueued(mongo, session, group, now, {
      $set: {
        status: 'failed',
        failedReason: reason,
        dueAt: null,
        attachmentsUntil: null,
        ...(attachmentsUntil === null ? {} : { dropping: true as const }),
      },
      $push: { history: { status: 'failed', at: now } },
    });
  }
}

async function take(
  { mongo, now }: ClaimParts,
  session: ClientSession,
  taken: readonly Candidate[],
  request: ClaimRequest,
): Promise<Written> {
  const alike = groupBy(taken, ({ attempt, firstClaimedAt }) => `${attempt} ${firstClaimedAt === null}`);
  for (const group of alike) await updateQueued(mongo, session, group, request.now, claimedState(group[0]!, request));
  await debit(mongo, session, taken, request);
  await countClaims(mongo, session, request, taken.length);
  const records = taken.map(({ _id: id, attempt }): OutgoingRecord => {
    const value = dispatchRecord(id, attempt + 1, request.lane, request.only?.get(id));
    return { topic: 'messages.dispatch', key: id, value };
  });
  return writeOutbox(mongo, session, records, now());
}

function claimedState(
  { attempt, firstClaimedAt }: Candidate,
  { now, leaseUntil }: ClaimRequest,
): UpdateFilter<MessageDocument> {
  const open = { fencedAt: null, finishedAt: null, outcome: null, reply: null };
  return {
    $set: {
      status: 'sending',
      stage: 'claimed',
      failedReason: null,
      dueAt: leaseUntil,
      attempt: attempt + 1,
      firstClaimedAt: firstClaimedAt ?? now,
      claimedAt: now,
      fence: null,
      fencedAt: null,
      heldFor: null,
    },
    $push: { history: { status: 'sending', at: now }, attempts: { n: attempt + 1, claimedAt: now, ...open } },
  };
}

/** Updates messages that must still wait as they were read; the attempt number reveals a turn in between. */
async function updateQueued(
  { db }: Mongo,
  session: ClientSession,
  group: readonly Candidate[],
  now: number,
  update: UpdateFilter<MessageDocument>,
): Promise<void> {
  const claimed = await documents(db, 'messages').updateMany(
    {
      _id: { $in: group.map(({ _id: id }) => id) },
      status: 'queued',
      dueAt: { $lte: now },
      attempt: group[0]!.attempt,
    },
    { ...update, $inc: { ...update.$inc, version: 1 } },
    { session, hint: '_id_' },
  );
  expectMatched(claimed, group.length, 'A message was claimed or changed in the meantime.');
}

/** Debits one coin and writes a ledger row for each, in order. Another caller may have spent the coins meanwhile. */
async function debit(
  { db }: Mongo,
  session: ClientSession,
  taken: readonly Candidate[],
  { workspaceId, now: at }: ClaimRequest,
): Promise<void> {
  const coins = taken.length * COIN_PER_MAIL;
  const account = await documents(db, 'accounts').findOneAndUpdate(
    { _id: workspaceId, balance: { $gte: coins } },
    { $inc: { balance: -coins, seq: taken.length } },
    { session, returnDocument: 'after' },
  );
  if (!account) throw new Conflict('The coins were spent in the meantime.');
  const first = account.seq - taken.length + 1;
  await documents(db, 'ledger').insertMany(
    taken.map(({ _id: messageId, attempt }, n) => ({
      _id: `${workspaceId}:${ledgerId.debit(messageId, attempt + 1)}`,
      workspaceId,
      seq: first + n,
      kind: 'debit',
      amount: -COIN_PER_MAIL,
      messageId,
      at,
    })),
    { session },
  );
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return [...groups.values()];
}
