import type { Partitions } from '../../partitions';
import type { OutgoingRecord, StoredRecord } from '../../records';
import { newestVersion, type GroupName, type TopicName } from '../../topics';
import { topicName } from './names';

/** The header that holds the version of a record's value. Older programs neither write nor read it. */
const VERSION = 'version';
const GROUP = 'group';

/** A record as the clients write it. */
export interface EncodedRecord {
  topic: string;
  partition: number;
  key: Buffer;
  value: Buffer;
  /** ms */
  timestamp: number;
  headers: Readonly<Record<string, string>>;
}

/** A record as the clients read it. */
export interface RawRecord {
  partition: number;
  offset: number;
  key: Buffer | string | null | undefined;
  value: Buffer | null;
  timestamp: number;
  headers: Readonly<Record<string, Buffer | string | undefined>>;
}

/** Encodes a record for the servers; time in ms. */
export function encodeRecord(
  { prefix, partitions }: { prefix: string; partitions: Partitions },
  record: OutgoingRecord,
  at: number,
): EncodedRecord {
  const { topic, key, value, version = newestVersion(topic), forGroup } = record;
  return {
    topic: topicName(prefix, topic),
    partition: partitions.of(topic, key),
    key: Buffer.from(key),
    value: Buffer.from(JSON.stringify(value)),
    timestamp: at,
    headers: { [VERSION]: String(version), ...(forGroup && { [GROUP]: forGroup }) },
  };
}

/** Decodes a record of the servers. Never throws: what cannot be read becomes a value that no schema accepts. */
export const decodeRecord = (topic: TopicName, raw: RawRecord): StoredRecord => ({
  topic,
  partition: raw.partition,
  offset: raw.offset,
  key: raw.key?.toString() ?? '',
  version: Number(raw.headers[VERSION]?.toString() ?? 1),
  forGroup: (raw.headers[GROUP]?.toString() ?? null) as GroupName | null,
  value: readValue(raw.value),
  at: raw.timestamp,
});

/**
 * A damaged value, or one that another program wrote, must not stop its group. No schema accepts this shape, so it
 * becomes a dead letter.
 */
function readValue(bytes: Buffer | null): unknown {
  const text = bytes?.toString() ?? '';
  try {
    return JSON.parse(text);
  } catch {
    return { unreadable: text };
  }
}
