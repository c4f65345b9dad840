import type { ClientSession, Document, UpdateFilter } from 'mongodb';
import type { Message } from '../../../domain/messages/message';
import type { Applied } from '../../shared/decide-change';
import { Backoff } from '../../../lib/backoff';
import { UnavailableError } from '../../../lib/errors';
import { sleep } from '../../../lib/sleep';
import type { MessageChange } from '../../ports/message-store';
import { finishDropping } from './attachments';
import { compareAndSet } from '../database/writes';
import type { Mongo } from '../database/client';
import { ContentionError, isOutOfTime, patienceOf, type Attempt } from '../transactions/contention';
import { documents, type MessageDocument } from '../database/documents';
import { Grouped } from '../transactions/grouped';
import { stageOf } from './message-codec';
import { outboxEntries } from '../log/outbox-entries';
import { MESSAGE } from './message-fields';
import { changesCounts, forgetHour } from './message-hours';
import type { Outbox } from '../log/outbox';
import { transact } from '../transactions/transact';

/** Waits between checks for a write that a majority does not have yet, ms. Each wait is a random part of it. */
const WAITS = { first: 1, longest: 100 };

/** The most changes in one transaction. */
const MAX_CHANGES = 100;

/** The write of one change. */
interface Write {
  id: string;
  /** The version of the message that the change was decided on. */
  version: number;
  update: UpdateFilter<MessageDocument>;
  arrayFilters: Document[];
}

/** Returns for each write whether the message still had the version. */
export type GroupedChanges = Grouped<Write, boolean>;

/** The parts that a change needs. */
export interface ChangeParts {
  mongo: Mongo;
  changes: GroupedChanges;
  outbox: Outbox;
  now: () => number;
}

/**
 * Waiting changes share a transaction, which costs about as much as one of them. A batch is written completely or not
 * at all. When one change is too late, each is written again alone and gets its own answer.
 */
export const groupedChanges = (mongo: Mongo): GroupedChanges =>
  new Grouped(
    async ([first, ...more], how) =>
      more.length === 0 ? [await writeOne(mongo, first!, how)] : writeAll(mongo, [first!, ...more], how),
    { maxItems: MAX_CHANGES, aloneAtOnce: 4 },
  );

/** When a transaction holds the message, the server lets a single write wait for it without a limit. */
async function writeOne(mongo: Mongo, { id, version, update, arrayFilters }: Write, how: Attempt): Promise<boolean> {
  const options = { arrayFilters, maxTimeMS: patienceOf(mongo, how) };
  try {
    return await compareAndSet(documents(mongo.db, 'messages'), { _id: id, version }, update, options);
  } catch (error) {
    if (!isOutOfTime(error)) throw error;
    throw new ContentionError('Another write holds the message.', { cause: error });
  }
}

async function writeAll(mongo: Mongo, writes: readonly Write[], how: Attempt): Promise<boolean[]> {
  const operations = writes.map(({ id, version, update, arrayFilters }) => ({
    updateOne: { filter: { _id: id, version }, update, arrayFilters },
  }));
  const attempt = async (session: ClientSession): Promise<void> => {
    const { matchedCount } = await documents(mongo.db, 'messages').bulkWrite(operations, { session });
    if (matchedCount !== writes.length) throw new Error('One of several changes was too late.');
  };
  await transact(mongo, attempt, how);
  return writes.map(() => true);
}

/** A change of what may be counted by hour takes its count back, in one transaction. */
const writeCounted = (mongo: Mongo, message: Message, { id, version, update, arrayFilters }: Write): Promise<boolean> =>
  transact(mongo, async (session) => {
    const options = { session, arrayFilters };
    const { matchedCount } = await documents(mongo.db, 'messages').updateOne({ _id: id, version }, update, options);
    if (matchedCount === 1) await forgetHour(mongo, session, message);
    return matchedCount === 1;
  });

/**
 * Writes a change if the message still has the version it was decided on: one write of one document, including records.
 */
export async function applyChange(
  { mongo, changes, outbox, now }: ChangeParts,
  decidedOn: Message,
  change: MessageChange,
): Promise<Applied> {
  const { id, version } = decidedOn;
  const { update, arrayFilters } = changeUpdate(decidedOn, change, now());
  const write = { id, version, update, arrayFilters };
  const matched = changesCounts(decidedOn, change)
    ? await writeCounted(mongo, decidedOn, write)
    : await changes.submit(write);
  if (!matched) return { applied: false, current: await readNewer(mongo, id, version) };
  outbox.enqueue({ holder: 'messages', id, v: version + 1, records: change.records });
  // The note in the message tells the sweeper if this fails.
  if (drops(decidedOn, change)) await finishDropping(mongo, [id]).catch(() => undefined);
  return { applied: true };
}

/** One message, as a majority has it. */
export async function readMessage({ db }: Mongo, id: string): Promise<Message | null> {
  const document = await documents(db, 'messages').findOne({ _id: id }, { projection: MESSAGE.projection });
  return document ? MESSAGE.decode(document) : null;
}

const drops = ({ attachmentsUntil }: Message, { dropAttachments }: MessageChange): boolean =>
  dropAttachments === true && attachmentsUntil !== null;

function changeUpdate(
  message: Message,
  change: MessageChange,
  now: number,
): { update: UpdateFilter<MessageDocument>; arrayFilters: Document[] } {
  const set: Record<string, unknown> = { ...change.set };
  const push: Record<string, unknown> = {};
  if (change.set.status !== undefined && change.set.status !== message.status) {
    push['history'] = { status: change.set.status, at: change.at };
  }
  const stage = stageOf({ ...message, ...change.set });
  if (stage !== undefined) set['stage'] = stage;
  if (change.links) set['links'] = change.links;
  if (drops(message, change)) set['dropping'] = true;
  for (const [field, value] of Object.entries(change.attempt ?? {})) set[`attempts.$[current].${field}`] = value;
  const records = outboxEntries(change.records, message.version + 1);
  if (records.length > 0) push['outbox'] = { $each: records };
  return {
    update: {
      $inc: { version: 1 },
      ...(Object.keys(set).length > 0 ? { $set: set } : {}),
      ...(Object.keys(push).length > 0 ? { $push: push } : {}),
      ...(stage === undefined ? { $unset: { stage: '' } } : {}),
      ...(records.length > 0 ? { $min: { outboxAt: now } } : {}),
    },
    arrayFilters: change.attempt ? [{ 'current.n': message.attempt }] : [],
  };
}

/**
 * The message after another caller's write. That write may not have reached a majority yet. A decision must not rest on
 * data that could be rolled back, so this waits for it.
 */
async function readNewer(mongo: Mongo, id: string, version: number): Promise<Message | null> {
  const deadline = performance.now() + mongo.timeoutMS;
  let backoff: Backoff | undefined;
  for (;;) {
    const current = await readMessage(mongo, id);
    if (current?.version !== version) return current;
    if (performance.now() > deadline) {
      throw new UnavailableError('MongoDB cannot replicate a change of a message to a majority at the moment.');
    }
    backoff ??= new Backoff({ ...WAITS, jitter: mongo.random });
    await sleep(backoff.next());
  }
}
