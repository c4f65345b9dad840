import type { GroupName, TopicName } from '../../../streams/topics';

/** A dead letter. */
export interface ParkedDocument {
  _id: number;
  topic: TopicName;
  group: GroupName;
  key: string;
  /** The version of the record's value; 1 when left out. */
  version?: number;
  /** As JSON: a record that no handler accepts may hold anything. */
  value: string;
  reason: string;
  parkedAt: number;
  /** The caller that drives it again, and until when it holds the record. */
  taken?: { by: string; until: number };
}

/** Where a group started a topic. `_id` is `<group>/<topic>`. */
export interface GroupStartDocument {
  _id: string;
  /** By partition, the first record the group reads. Partitions in which it has committed since are removed. */
  next: Record<string, number>;
}
