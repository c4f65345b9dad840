import type { GroupStarts } from '../../group-starts';
import type { Partitions } from '../../partitions';
import type { GroupName, GroupTable, TopicName } from '../../topics';
import type { KafkajsConnection } from './kafkajs/connection';
import type { LogNames } from './options';

/** The topic that says whose topics these are; see installation-marker.ts. */
export const MARKER_TOPIC = 'installation';

/** Every topic that this program creates on the servers. */
export type ServedTopic = TopicName | typeof MARKER_TOPIC;

/** The name of a topic on the servers. */
export const topicName = (prefix: string, topic: ServedTopic): string => `${prefix}${topic}`;

/** Enough of the id to tell installations apart, and short enough to read in a list of groups. */
const SHORT = 8;

/** The name of a consumer group on the servers. */
export const groupName = ({ prefix, installation }: LogNames, group: GroupName): string =>
  installation === undefined ? `${prefix}${group}` : `${prefix}${group}.${installation.slice(0, SHORT)}`;

/** A log on the servers: the connection, and the names of our topics and groups there. */
export interface ServedLog extends LogNames {
  connection: KafkajsConnection;
  groups: GroupTable;
  partitions: Partitions;
  /** Where groups started; null when there is no store to ask. */
  starts: GroupStarts | null;
}
