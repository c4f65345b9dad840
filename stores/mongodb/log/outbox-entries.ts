import { ObjectId, type ClientSession } from 'mongodb';
import type { OutgoingRecord } from '../../../streams/records';
import { newestVersion } from '../../../streams/topics';
import type { Mongo } from '../database/client';
import { documents } from '../database/documents';
import type { OutboxEntry } from '../database/stored';
import type { Written } from './outbox';

/** Records in the form that waits in an outbox. */
export const outboxEntries = (records: readonly OutgoingRecord[], v: number): OutboxEntry[] =>
  records.map(({ topic, key, value, version = newestVersion(topic) }) => ({
    topic,
    key,
    value: JSON.stringify(value),
    version,
    v,
  }));

/** Records from an outbox; another program may have written them. */
export const outgoingRecords = (entries: readonly OutboxEntry[]): OutgoingRecord[] =>
  entries.map(
    ({ topic, key, value, version }) =>
      ({ topic, key, value: JSON.parse(value) as unknown, version }) as OutgoingRecord,
  );

/** An outbox document is written once. */
const VERSION = 1;

/**
 * Writes records that belong to no document of their own, in the transaction that they announce (transactional outbox).
 * Enqueue what it returns once the transaction is committed.
 */
export async function writeOutbox(
  { db }: Mongo,
  session: ClientSession,
  records: readonly OutgoingRecord[],
  now: number,
): Promise<Written> {
  const id = new ObjectId();
  const entry = { _id: id, outbox: outboxEntries(records, VERSION), outboxAt: now };
  await documents(db, 'outbox').insertOne(entry, { session });
  return { holder: 'outbox', id, v: VERSION, records };
}
