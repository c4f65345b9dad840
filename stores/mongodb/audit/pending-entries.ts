import type { LedgerEntry } from '../../../domain/coins';
import type { GroupPartition, LogView } from '../../../streams/log-view';
import { decodeRecord } from '../../../streams/decode-record';
import type { StoredRecord } from '../../../streams/records';
import { documents, type OutboxEntry } from '../database/documents';
import { pages, type Snapshot } from '../transactions/snapshot';

const GROUP = 'coins';
const TOPIC = 'coins.entries';
const PAGE = 500;
const HOLDERS = ['messages', 'signals', 'outbox'] as const;

/** The position of the coins group, and the ends of its log, around the moment of a snapshot. */
export interface Around {
  before: readonly GroupPartition[];
  after: readonly GroupPartition[];
}

/** The positions of the coins group. */
export const coinsPositions = async (log: LogView): Promise<GroupPartition[]> =>
  (await log.groupPositions()).filter(({ group, topic }) => group === GROUP && topic === TOPIC);

/**
 * Ledger entries, by id, that were pending at the moment of the snapshot. They were either still in an outbox then, or
 * in the log: from the group's position before the snapshot (everything it had committed is booked in the snapshot) to
 * the end of the log after it (everything that had left the outboxes is there).
 */
export async function pendingEntries(
  snapshot: Snapshot,
  log: LogView,
  { before, after }: Around,
  workspaceId: number,
): Promise<Map<string, LedgerEntry>> {
  const key = String(workspaceId);
  const partition = log.partitionOf(TOPIC, key);
  const entries = new Map<string, LedgerEntry>();
  // A record that cannot be read, or is for another group, books nothing.
  const note = (stored: StoredRecord): void => {
    const { record } = decodeRecord({ ...stored, topic: TOPIC });
    if (record && (record.forGroup ?? GROUP) === GROUP) entries.set(record.value.id, record.value);
  };
  const from = before.find((standing) => standing.partition === partition)?.next ?? 0;
  const to = (after.find((standing) => standing.partition === partition)?.newest ?? -1) + 1;
  if (from < to) {
    for await (const record of log.between(TOPIC, [{ partition, from, to }])) if (record.key === key) note(record);
  }
  for await (const entry of outboxEntries(snapshot)) {
    if (entry.topic === TOPIC && entry.key === key) note(recordOf(entry, partition));
  }
  return entries;
}

/** Every entry in an outbox. There are few, unless the log is unreachable. */
async function* outboxEntries({ db, moment }: Snapshot): AsyncGenerator<OutboxEntry> {
  for (const holder of HOLDERS) {
    const holding = documents(db, holder as 'messages').find(
      { outboxAt: { $gte: 0 }, 'outbox.topic': TOPIC },
      { ...moment, batchSize: PAGE, projection: { outbox: 1 } },
    );
    for await (const page of pages(holding, PAGE)) yield* page.flatMap(({ outbox }) => outbox ?? []);
  }
}

/** The record that an outbox entry becomes. */
const recordOf = ({ topic, key, value, version = 1 }: OutboxEntry, partition: number): StoredRecord => ({
  topic,
  partition,
  key,
  version,
  value: readJson(value),
  forGroup: null,
  offset: -1,
  at: 0,
});

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
