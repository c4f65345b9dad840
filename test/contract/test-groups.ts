import { GROUPS, type GroupName, type GroupTable } from '../../streams/topics';

const extra: string[] = ['late', 'both'];
/** Reads two topics from the newest record, which is the default. */
export const LATE = extra[0] as GroupName;
/** Reads the same, from the oldest record. */
export const BOTH = extra[1] as GroupName;

const topics = ['message.events', 'conversions'] as const;
const ours = { late: { topics }, both: { topics, start: 'oldest' as const } };

/** The groups of the program, and two for features that none of them uses yet. */
export const TEST_GROUPS: GroupTable = { ...GROUPS, ...ours };
