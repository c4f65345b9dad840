import type { TopicName } from '../../../streams/topics';

/** A domain type whose id is the document's `_id`. */
export type Stored<T extends { id: unknown }> = Omit<T, 'id'> & { _id: T['id'] };

/** A record waiting to be published to the event log. */
export interface OutboxEntry {
  topic: TopicName;
  key: string;
  /** The record's value as JSON: its field names may be anything. */
  value: string;
  /** The version of the record's value. */
  version: number;
  /** The version of the document when the entry was written. */
  v: number;
}
