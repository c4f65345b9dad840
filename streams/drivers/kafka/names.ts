import type { GroupStarts } from '../../group-starts';
import type { GroupName, GroupTable, TopicName } from '../../topics';
import type { KafkajsConnection } from './kafkajs/connection';

/** The name of a topic on the servers. */
export const topicName = (prefix: string, topic: TopicName): string => `${prefix}${topic}`;

/** The name of a consumer group on the servers. */
export const groupName = (prefix: string, group: GroupName): string => `${prefix}${group}`;

/** A log on the servers: the connection, and the names of our topics and groups there. */
export interface ServedLog {
  connection: KafkajsConnection;
  prefix: string;
  groups: GroupTable;
  /** Where groups started; null when there is no store to ask. */
  starts: GroupStarts | null;
}
