import { DAY, HOUR } from '../lib/clock';
import type { RecordValues } from './record-values';

/** One line of the table of topics (docs/architecture.md). */
export interface TopicSpec {
  /** What the key of a record identifies. Records of one key stay in order. */
  key: 'workspace' | 'message' | 'contact';
  /** The shortest time a record is kept after it was written, ms. */
  retention: number;
  /**
   * The version in which records are written, the last in `record-versions.ts`. Only readers need the schemas: a thread
   * that writes does without the library that checks them.
   */
  version: number;
}

export type TopicName = keyof RecordValues;

const command = { retention: HOUR };
const history = { retention: 7 * DAY };

/** Every topic. The admin command and the drivers read this table. */
export const TOPICS: Readonly<Record<TopicName, TopicSpec>> = {
  'messages.accepted': { key: 'workspace', ...command, version: 1 },
  'messages.dispatch': { key: 'message', ...command, version: 1 },
  'mta.feedback': { key: 'message', ...history, version: 1 },
  'message.events': { key: 'message', ...history, version: 1 },
  'coins.entries': { key: 'workspace', ...history, version: 1 },
  'engagement.hits': { key: 'message', ...history, version: 1 },
  conversions: { key: 'workspace', ...history, version: 1 },
  'journeys.enrollments': { key: 'contact', ...history, version: 1 },
};

export const TOPIC_NAMES = Object.keys(TOPICS) as TopicName[];

/** Something of each topic. */
export const byTopic = <V>(of: (topic: TopicName) => V): Readonly<Record<TopicName, V>> =>
  Object.fromEntries(TOPIC_NAMES.map((topic) => [topic, of(topic)])) as Record<TopicName, V>;

/** The version in which records of a topic are written. */
export const newestVersion = (topic: TopicName): number => TOPICS[topic].version;

/** A consumer group. */
export interface GroupSpec {
  /** It reads all of these topics. */
  topics: readonly TopicName[];
  /**
   * Where it starts in a topic that it has never read. `newest`: at the next record written, so that a new release does
   * not act on earlier events. `oldest`: at the oldest record kept. Default: newest.
   */
  start?: 'newest' | 'oldest';
}

/** The consumer groups. Those that move messages along must not skip a record, so they start at the oldest. */
export const GROUPS = {
  throttle: { topics: ['messages.accepted'], start: 'oldest' },
  dispatch: { topics: ['messages.dispatch'], start: 'oldest' },
  'mta-feedback': { topics: ['mta.feedback'], start: 'oldest' },
  coins: { topics: ['coins.entries'], start: 'oldest' },
  engagement: { topics: ['engagement.hits'], start: 'oldest' },
  webhooks: { topics: ['message.events'] },
  conversions: { topics: ['conversions', 'message.events'], start: 'oldest' },
  journeys: { topics: ['message.events', 'conversions', 'journeys.enrollments'], start: 'oldest' },
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

/** True when the group starts at the newest record in a topic that it has never read. */
export const startsAtNewest = (groups: GroupTable, group: GroupName): boolean => groups[group].start !== 'oldest';

/** A partition of a topic. */
export interface TopicPartition {
  topic: TopicName;
  partition: number;
}

/** The partition as the key of a map. */
export const partitionKey = ({ topic, partition }: TopicPartition): string => `${topic}/${partition}`;
