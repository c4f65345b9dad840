import { TOPICS, TOPIC_NAMES, type TopicName } from '../../topics';
import { topicName } from './names';

/** A topic as the servers have it, or are to have it. */
export interface TopicLayout {
  partitions: number;
  configs: ReadonlyMap<string, string>;
}

export interface PlannedTopic extends TopicLayout {
  topic: TopicName;
  /** On the servers. */
  name: string;
}

export type TopicDifference =
  | { name: string; kind: 'missing' }
  | { name: string; kind: 'partitions'; found: number; expected: number }
  | { name: string; kind: 'config'; config: string; found: string; expected: string };

const ANY_TIME = '9223372036854775807';

/**
 * Kafka's own retention is off, since it would delete what a group has not read yet: `trim` deletes instead. Records carry the
 * time of our clock, which time travel may move far from the servers'.
 */
const configs: ReadonlyMap<string, string> = new Map([
  ['cleanup.policy', 'delete'],
  ['retention.ms', '-1'],
  ['retention.bytes', '-1'],
  ['message.timestamp.type', 'CreateTime'],
  ['message.timestamp.before.max.ms', ANY_TIME],
  ['message.timestamp.after.max.ms', ANY_TIME],
]);

/** The topics as they are to be. */
export const topicPlan = (prefix: string): PlannedTopic[] =>
  TOPIC_NAMES.map((topic) => ({
    topic,
    name: topicName(prefix, topic),
    partitions: TOPICS[topic].partitions,
    configs,
  }));

/** How a topic differs from the plan; `found` is null when there is none. */
export function differencesOf(plan: PlannedTopic, found: TopicLayout | null): TopicDifference[] {
  const { name } = plan;
  if (!found) return [{ name, kind: 'missing' }];
  const differences: TopicDifference[] = [];
  if (found.partitions !== plan.partitions) {
    differences.push({ name, kind: 'partitions', found: found.partitions, expected: plan.partitions });
  }
  for (const [config, expected] of plan.configs) {
    const is = found.configs.get(config) ?? 'not known to this server';
    if (is !== expected) differences.push({ name, kind: 'config', config, found: is, expected });
  }
  return differences;
}

/** A sentence for operators: the topic, what is, what should be, what to do. */
export function describeDifference(difference: TopicDifference): string {
  const { name } = difference;
  switch (difference.kind) {
    case 'missing':
      return `Topic ${name} does not exist; a start makes it, as does \`kurir topics create\`.`;
    case 'partitions':
      return (
        `Topic ${name} has ${difference.found} partitions; it should have ${difference.expected}. ` +
        'Its keys would lie elsewhere otherwise: stop every process once its groups have no lag, delete the topic, and start again.'
      );
    case 'config':
      return (
        `Topic ${name} has ${difference.config}=${difference.found}; it should be ${difference.expected}: ` +
        `kafka-configs.sh --alter --entity-type topics --entity-name ${name} --add-config ${difference.config}=${difference.expected}`
      );
  }
}
