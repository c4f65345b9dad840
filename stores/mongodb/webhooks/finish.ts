import type { AnyBulkWriteOperation, ClientSession } from 'mongodb';
import { afterAttempt } from '../../../domain/webhooks/webhook-retry';
import type { DeliveryResult } from '../../ports/delivery-store';
import type { TaskClaim } from '../../ports/due-tasks';
import type { Mongo } from '../database/client';
import { documents } from '../database/documents';
import type { DueTaskDocument } from '../queue/due-task-document';
import { nextRun } from '../queue/finish-task';
import { taskId } from '../queue/schedule-tasks';
import type { Attempt } from '../transactions/contention';
import { transact } from '../transactions/transact';
import type { WebhookDeliveryDocument } from './delivery-fields';

/** The result of a claimed delivery. */
export interface Finish {
  claim: TaskClaim;
  result: DeliveryResult;
}

/** What becomes of a delivery and its task. */
interface Decided extends Finish, ReturnType<typeof afterAttempt> {
  /** Attempts made by now; an interrupted retry ends with a claim that made none. */
  made: number;
}

/** What is read of a delivery whose attempt failed. */
type Known = Pick<WebhookDeliveryDocument, '_id' | 'allowed' | 'queuedAt' | 'retryAt'> & { made: number };
const KNOWN = { allowed: 1, queuedAt: 1, retryAt: 1, made: { $size: '$attempts' } };

/**
 * Records results in one transaction (see DeliveryStore.finish): its round trips and its commit cost as much for one.
 */
export function finishMany(mongo: Mongo, items: readonly Finish[], how: Attempt): Promise<readonly boolean[]> {
  return transact(
    mongo,
    async (session) => {
      const owned = await findOwned(mongo, session, items);
      if (owned.size > 0) await store(mongo, session, await decide(mongo, session, [...owned]));
      return items.map((item) => owned.has(item));
    },
    how,
  );
}

/** Those whose claim is still valid; of several with the same claim, the first. */
async function findOwned({ db }: Mongo, session: ClientSession, items: readonly Finish[]): Promise<Set<Finish>> {
  const ids = items.map(({ claim }) => taskId(claim));
  const held = documents(db, 'dueTasks').find({ _id: { $in: ids } }, { session, projection: { token: 1 } });
  const tokens = new Map((await held.toArray()).map(({ _id, token }) => [_id, token]));
  return new Set(
    items.filter(({ claim }) => {
      const id = taskId(claim);
      if (tokens.get(id) !== claim.token) return false;
      tokens.delete(id);
      return true;
    }),
  );
}

/** A delivery that succeeded needs no look at what is stored. */
async function decide({ db }: Mongo, session: ClientSession, items: readonly Finish[]): Promise<Decided[]> {
  const failed = items.filter(({ result }) => result.state !== 'delivered').map(({ claim }) => claim.id);
  const found =
    failed.length === 0
      ? []
      : await documents(db, 'webhookDeliveries')
          .find<Known>({ _id: { $in: failed } }, { session, projection: KNOWN })
          .toArray();
  const stored = new Map(found.map((delivery) => [delivery._id, delivery]));
  return items.map((item) => {
    const known = stored.get(item.claim.id) ?? null;
    return { ...item, ...afterAttempt(item.result, known), made: (known?.made ?? 0) + item.result.attempts.length };
  });
}

async function store(mongo: Mongo, session: ClientSession, decided: readonly Decided[]): Promise<void> {
  const { db } = mongo;
  await documents(db, 'dueTasks').bulkWrite(taskWrites(decided), { session, ordered: false });
  const contacts = await answerableContacts(mongo, session, decided);
  const writes = decided.map(({ claim, state, retryAt, result }): AnyBulkWriteOperation<WebhookDeliveryDocument> => {
    const keep = result.contactId === null || contacts.has(result.contactId);
    const attempts = keep ? [...result.attempts] : result.attempts.map((attempt) => ({ ...attempt, answer: null }));
    return {
      updateOne: {
        filter: { _id: claim.id },
        update: { $set: { state, retryAt }, $push: { attempts: { $each: attempts } } },
      },
    };
  });
  await documents(db, 'webhookDeliveries').bulkWrite(writes, { session, ordered: false });
}

function taskWrites(decided: readonly Decided[]): AnyBulkWriteOperation<DueTaskDocument>[] {
  const done = decided.filter(({ nextAt }) => nextAt === null).map(({ claim }) => taskId(claim));
  const waiting = decided.flatMap(({ claim, nextAt, made }): AnyBulkWriteOperation<DueTaskDocument>[] => {
    if (nextAt === null) return [];
    const update = { $set: nextRun({ dueAt: nextAt, attempt: made }), $unset: { token: true as const } };
    return [{ updateOne: { filter: { _id: taskId(claim) }, update } }];
  });
  return [...(done.length > 0 ? [{ deleteMany: { filter: { _id: { $in: done } } } }] : []), ...waiting];
}

/**
 * The contacts that exist, of those with an answer to keep. Nothing is written to them, so that the deliveries of one
 * contact, which end together, do not conflict. A deletion at the same time cannot be missed: afterwards it writes
 * every delivery of the contact (see eraseAnswers). Either that write conflicts with this transaction, which then runs
 * again and sees no contact, or it comes later and removes the answer.
 */
async function answerableContacts(
  { db }: Mongo,
  session: ClientSession,
  decided: readonly Decided[],
): Promise<Set<number>> {
  const ids = decided.flatMap(({ result: { attempts, contactId } }) =>
    contactId !== null && attempts.some(({ answer }) => answer !== null) ? [contactId] : [],
  );
  if (ids.length === 0) return new Set();
  const found = documents(db, 'contacts').find(
    { _id: { $in: [...new Set(ids)] } },
    { session, projection: { _id: 1 } },
  );
  return new Set((await found.toArray()).map(({ _id }) => _id));
}
