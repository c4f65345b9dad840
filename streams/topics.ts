import { DAY, HOUR } from '../lib/clock';
import type { RecordValues } from './record-values';
import { RECORD_VERSIONS, type RecordVersion } from './record-versions';

/** One line of the table of topics (docs/architecture.md). */
export interface TopicSpec {
  /** What the key of a record is; records of one key stay in order. */
  key: 'workspace' | 'message' | 'campaign' | 'contact';
  partitions: number;
  /** ms a record is kept at the least after it was written. */
  retention: number;
  /** The shapes of its records; new ones are written in the last. */
  versions: readonly RecordVersion[];
}

export type TopicName = keyof RecordValues;

const command = { partitions: 8, retention: HOUR };
const history = { partitions: 8, retention: 7 * DAY };
const spec = (topic: TopicName, key: TopicSpec['key'], kind: typeof command): TopicSpec => ({
  key,
  ...kind,
  versions: RECORD_VERSIONS[topic],
});

/** Every topic there is; the admin command and the drivers take it from here. */
export const TOPICS: Readonly<Record<TopicName, TopicSpec>> = {
  'messages.accepted': spec('messages.accepted', 'workspace', command),
  'messages.dispatch': spec('messages.dispatch', 'message', command),
  'mta.feedback': spec('mta.feedback', 'message', history),
  'message.events': spec('message.events', 'message', history),
  'coins.entries': spec('coins.entries', 'workspace', history),
  'engagement.hits': spec('engagement.hits', 'message', history),
  conversions: spec('conversions', 'workspace', history),
  'campaigns.sends': spec('campaigns.sends', 'campaign', history),
  'journeys.enrollments': spec('journeys.enrollments', 'contact', history),
};

export const TOPIC_NAMES = Object.keys(TOPICS) as TopicName[];

/** The version in which records of a topic are written. */
export const newestVersion = (topic: TopicName): number => TOPICS[topic].versions.length;

/** A consumer group. */
export interface GroupSpec {
  /** It reads all of these. */
  topics: readonly TopicName[];
  /**
   * Where it begins in a topic that it never read: at the next record to be written, so that a new release does not act on
   * what happened before it, or at the oldest record that is kept. Default: newest.
   */
  start?: 'newest' | 'oldest';
}

/** The consumer groups. What brings messages on its way may skip no record, so these begin at the oldest. */
export const GROUPS = {
  throttle: { topics: ['messages.accepted'], start: 'oldest' },
  dispatch: { topics: ['messages.dispatch'], start: 'oldest' },
  'mta-feedback': { topics: ['mta.feedback'], start: 'oldest' },
  coins: { topics: ['coins.entries'], start: 'oldest' },
  engagement: { topics: ['engagement.hits'], start: 'oldest' },
} as const satisfies Record<string, GroupSpec>;

export type GroupName = keyof typeof GROUPS;
/** The topics that a group reads. */
export type TopicOf<G extends GroupName> = (typeof GROUPS)[G]['topics'][number];

/** The groups that a log serves. */
export type GroupTable = Readonly<Record<GroupName, GroupSpec>>;

export const namesOf = (groups: GroupTable): GroupName[] => Object.keys(groups) as GroupName[];

/** The groups that read a topic. */
export const readersOf = (groups: GroupTable, topic: TopicName): GroupName[] =>
  namesOf(groups).filter((group) => groups[group].topics.includes(topic));

/** True of a group that begins at the newest record in a topic that it never read. */
export const startsAtNewest = (groups: GroupTable, group: GroupName): boolean => groups[group].start !== 'oldest';

/** A partition of a topic. */
export interface TopicPartition {
  topic: TopicName;
  partition: number;
}

/** The partition as the key of a map. */
export const partitionKey = ({ topic, partition }: TopicPartition): string => `${topic}/${partition}`;
