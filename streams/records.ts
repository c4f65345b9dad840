import type { RecordValues } from './record-values';
import type { GroupName, TopicName, TopicPartition } from './topics';

/** A record about to be written. */
export type OutgoingRecord = {
  [T in TopicName]: {
    topic: T;
    key: string;
    value: RecordValues[T];
    /** The version of the value, where it is not the newest: it was written before, and is published now or again. */
    version?: number;
    /** The only group that is to handle it; all that read the topic when left out. */
    forGroup?: GroupName;
  };
}[TopicName];

/** A record as it lies in the log. */
export interface StoredRecord extends TopicPartition {
  /** Grows within a partition, without gaps being promised. */
  offset: number;
  key: string;
  /** Of the value; records of programs that wrote none are version 1. NaN when it cannot be read. */
  version: number;
  /** The only group that is to handle it; null: all that read the topic. */
  forGroup: GroupName | null;
  /** Whatever was written; `decodeRecord` reads it. */
  value: unknown;
  /** ms */
  at: number;
}

/** A record as a handler gets it: its value is valid, and of the newest version. */
export interface LogRecord<T extends TopicName = TopicName> extends StoredRecord {
  topic: T;
  value: RecordValues[T];
}
