import type { Partitions } from '../../partitions';
import { TOPIC_NAMES } from '../../topics';
import { MARKER_TOPIC, topicName, type ServedTopic } from './names';

/** The layout of a topic, on the servers or in the plan. */
export interface TopicLayout {
  partitions: number;
  configs: ReadonlyMap<string, string>;
}

export interface PlannedTopic extends TopicLayout {
  topic: ServedTopic;
  /** The name on the servers. */
  name: string;
}

export type TopicDifference =
  | { name: string; kind: 'missing' }
  | { name: string; kind: 'partitions'; found: number; expected: number }
  /** More partitions than are in use: keys keep theirs, and the others stay empty. */
  | { name: string; kind: 'grown'; found: number; expected: number }
  | { name: string; kind: 'config'; config: string; found: string; expected: string };

const ANY_TIME = '9223372036854775807';

/**
 * Kafka's own retention is off, since it would delete records that a group has not read yet. `trim` deletes instead.
 * Records carry our clock's time, which time travel may move far from that of the servers.
 */
const configs: ReadonlyMap<string, string> = new Map([
  ['cleanup.policy', 'delete'],
  ['retention.ms', '-1'],
  ['retention.bytes', '-1'],
  ['message.timestamp.type', 'CreateTime'],
  ['message.timestamp.before.max.ms', ANY_TIME],
  ['message.timestamp.after.max.ms', ANY_TIME],
]);

/** The topics as planned. */
export const topicPlan = (prefix: string, partitions: Partitions): PlannedTopic[] => {
  const planned = (topic: ServedTopic, partitions: number): PlannedTopic => {
    return { topic, name: topicName(prefix, topic), partitions, configs };
  };
  return [...TOPIC_NAMES.map((topic) => planned(topic, partitions.count(topic))), planned(MARKER_TOPIC, 1)];
};

/** How a topic differs from the plan; `found` is null when it does not exist. */
export function differencesOf(plan: PlannedTopic, found: TopicLayout | null): TopicDifference[] {
  const { name } = plan;
  if (!found) return [{ name, kind: 'missing' }];
  const differences: TopicDifference[] = [];
  if (found.partitions !== plan.partitions) {
    const kind = found.partitions > plan.partitions ? 'grown' : 'partitions';
    differences.push({ name, kind, found: found.partitions, expected: plan.partitions });
  }
  for (const [config, expected] of plan.configs) {
    const is = found.configs.get(config) ?? 'unknown to this server';
    if (is !== expected) differences.push({ name, kind: 'config', config, found: is, expected });
  }
  return differences;
}

/** True for a difference with which the program works as it should: it is told, and refuses no start. */
export const isHarmless = ({ kind }: TopicDifference): boolean => kind === 'grown';

/** A sentence for operators: the topic, what it is, what it should be, and what to do. */
export function describeDifference(difference: TopicDifference): string {
  const { name } = difference;
  switch (difference.kind) {
    case 'missing':
      return `Topic ${name} does not exist; the next start creates it, and so does \`kurir topics create\`.`;
    case 'partitions':
      return (
        `Topic ${name} has ${difference.found} partitions, but should have ${difference.expected}. ` +
        'Records whose partition is missing cannot be published: once its groups have no lag, stop every process, delete the topic, and start again.'
      );
    case 'grown':
      return (
        `Topic ${name} has ${difference.found} partitions, but should have ${difference.expected}. ` +
        `Nothing is lost: Kurir uses the first ${difference.expected}, and the others stay empty. ` +
        `To use them: kurir topics grow ${difference.found} --topic <topic>. To remove them, ` +
        'stop every process once its groups have no lag, delete the topic, and start again.'
      );
    case 'config':
      return (
        `Topic ${name} has ${difference.config}=${difference.found}, but should have ${difference.expected}: ` +
        `kafka-configs.sh --alter --entity-type topics --entity-name ${name} --add-config ${difference.config}=${difference.expected}`
      );
  }
}
