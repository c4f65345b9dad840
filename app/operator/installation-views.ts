import type { GroupName, TopicName } from '../../streams/topics';

/** A topic as it is, and how it differs from what it should be, one sentence each. */
export interface TopicView {
  topic: TopicName;
  /** Name on the servers. */
  name: string;
  differences: string[];
  partitions: { partition: number; low: number; end: number }[];
  groups: GroupView[];
}

interface GroupView {
  group: GroupName;
  lag: number;
  partitions: { partition: number; committed: number | null; lag: number }[];
}

/** A collection with the indexes it should have. */
export interface CollectionView {
  collection: string;
  indexes: string[];
  differences: string[];
}
