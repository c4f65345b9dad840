import type { LogRecord, OutgoingRecord } from '../../records';
import type { TopicName } from '../../topics';
import { topicName } from './names';
import { partitionOf } from './partition-of';

/** A record as the clients write it. */
export interface EncodedRecord {
  topic: string;
  partition: number;
  key: Buffer;
  value: Buffer;
  /** ms */
  timestamp: number;
}

/** A record as the clients read it. */
export interface RawRecord {
  partition: number;
  offset: number;
  key: Buffer | string | null | undefined;
  value: Buffer | null;
  timestamp: number;
}

export const encodeRecord = (prefix: string, { topic, key, value }: OutgoingRecord, at: number): EncodedRecord => ({
  topic: topicName(prefix, topic),
  partition: partitionOf(topic, key),
  key: Buffer.from(key),
  value: Buffer.from(JSON.stringify(value)),
  timestamp: at,
});

export const decodeRecord = (topic: TopicName, raw: RawRecord): LogRecord => ({
  topic,
  partition: raw.partition,
  offset: raw.offset,
  key: raw.key?.toString() ?? '',
  value: readValue(raw.value) as LogRecord['value'],
  at: raw.timestamp,
});

/** A value that others wrote or that is damaged must not stop its group: no handler knows this shape, so the record ends parked. */
function readValue(bytes: Buffer | null): unknown {
  const text = bytes?.toString() ?? '';
  try {
    return JSON.parse(text);
  } catch {
    return { unreadable: text };
  }
}
