import type { GroupName } from '../../streams/topics';

/** A topic as it is, and how it differs from what it should be, one sentence each. */
export interface TopicView {
  /** A topic of the log, or `installation`, which says whose topics these are. */
  topic: string;
  /** Name on the servers. */
  name: string;
  differences: string[];
  partitions: { partition: number; low: number; end: number }[];
  groups: GroupView[];
  /** Whose topics these are: the id and the database of the installation. Null for every topic but `installation`. */
  marker: { installation: string; database: string } | null;
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

/** From one prefix to another; null: the installation uses the topics of KURIR_KAFKA_PREFIX already. */
export type Move = { from: string; to: string } | null;
