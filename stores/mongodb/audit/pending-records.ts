import type { GroupPartition, LogView } from '../../../streams/log-view';
import type { StoredRecord } from '../../../streams/records';
import type { GroupName, TopicName } from '../../../streams/topics';
import { documents, type OutboxEntry } from '../database/documents';
import { HOLDERS } from '../log/outbox';
import { pages, type Snapshot } from '../transactions/snapshot';

const PAGE = 500;

/** The positions of the groups, and the ends of their logs, around the moment of a snapshot. */
export interface Around {
  before: readonly GroupPartition[];
  after: readonly GroupPartition[];
}

/** A group, and a topic that it reads. */
interface Reading {
  group: GroupName;
  topic: TopicName;
}

/**
 * Records that were pending at the moment of the snapshot, of one key or of all. They were either still in an outbox
 * then, or in the log: from the group's position before the snapshot (everything it had committed is in the snapshot)
 * to the end of the log after it (everything that had left the outboxes is there).
 */
export async function* pendingRecords(
  snapshot: Snapshot,
  log: LogView,
  { before, after }: Around,
  { group, topic }: Reading,
  key?: string,
): AsyncGenerator<StoredRecord> {
  const own = key === undefined ? null : log.partitions().everOf(topic, key);
  const isOurs = (read: GroupPartition): boolean =>
    read.group === group && read.topic === topic && (own === null || own.has(read.partition));
  const spans = after.filter(isOurs).map(({ partition, newest }) => {
    const from = before.filter(isOurs).find((read) => read.partition === partition)?.next ?? 0;
    return { partition, from, to: newest + 1 };
  });
  const open = spans.filter(({ from, to }) => from < to);
  if (open.length > 0) {
    for await (const record of log.between(topic, open)) if (key === undefined || record.key === key) yield record;
  }
  for await (const entry of outboxEntries(snapshot, topic)) {
    if (entry.topic === topic && (key === undefined || entry.key === key)) {
      yield recordOf(entry, log.partitions().of(topic, entry.key));
    }
  }
}

/** Every entry of a topic in an outbox. There are few, unless the log is unreachable. */
async function* outboxEntries({ db, moment }: Snapshot, topic: TopicName): AsyncGenerator<OutboxEntry> {
  for (const holder of HOLDERS) {
    const holding = documents(db, holder as 'messages').find(
      { outboxAt: { $gte: 0 }, 'outbox.topic': topic },
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
