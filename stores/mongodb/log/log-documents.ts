import type { GroupName, TopicName } from '../../../streams/topics';

/** A dead letter. */
export interface ParkedDocument {
  _id: number;
  topic: TopicName;
  group: GroupName;
  key: string;
  /** Of the record's value; 1 when left out. */
  version?: number;
  /** As JSON: a record that nobody can handle may hold anything. */
  value: string;
  reason: string;
  parkedAt: number;
  /** Who drives it again, and until when nobody else may. */
  taken?: { by: string; until: number };
}

/** Where a group began a topic; `_id` is `<group>/<topic>`. */
export interface GroupStartDocument {
  _id: string;
  /** By partition, the first record the group reads; without the partitions in which it has committed since. */
  next: Record<string, number>;
}
