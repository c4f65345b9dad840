import type { RecordValues } from './record-values';
import type { GroupName, TopicName, TopicPartition } from './topics';

/** A record to be written. */
export type OutgoingRecord = {
  [T in TopicName]: {
    topic: T;
    key: string;
    value: RecordValues[T];
    /** The version of the value, when it is not the newest: it was written earlier, and is published now or again. */
    version?: number;
    /** The only group that should handle it; left out, every group that reads the topic. */
    forGroup?: GroupName;
  };
}[TopicName];

/** A record as stored in the log. */
export interface StoredRecord extends TopicPartition {
  /** Grows within a partition; there may be gaps. */
  offset: number;
  key: string;
  /** The version of the value. Records written without one are version 1. NaN when it cannot be read. */
  version: number;
  /** The only group that should handle it; null: every group that reads the topic. */
  forGroup: GroupName | null;
  /** The value as written; `decodeRecord` reads it. */
  value: unknown;
  /** ms */
  at: number;
}

/** A record as a handler gets it: its value is valid, and of the newest version. */
export interface LogRecord<T extends TopicName = TopicName> extends StoredRecord {
  topic: T;
  value: RecordValues[T];
}
