import { GROUPS, type GroupName, type TopicName } from '../../topics';

/** The name of a topic on the servers. */
export const topicName = (prefix: string, topic: TopicName): string => `${prefix}${topic}`;

/** The name of a consumer group on the servers. */
export const groupName = (prefix: string, group: GroupName): string => `${prefix}${group}`;

export const GROUP_NAMES = Object.keys(GROUPS) as GroupName[];

/** The groups that read a topic. */
export const groupsOf = (topic: TopicName): GroupName[] => GROUP_NAMES.filter((group) => GROUPS[group] === topic);
