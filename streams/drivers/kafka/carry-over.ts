import type { Position } from '../../event-log';
import type { GroupName } from '../../topics';
import { GroupMember } from './kafkajs/group-member';
import type { ServedLog } from './names';
import { committedIn } from './offsets';

/** How the servers refuse a commit from outside while the group has members. */
const HAS_MEMBERS = new Set<unknown>(['UNKNOWN_MEMBER_ID', 'ILLEGAL_GENERATION', 'REBALANCE_IN_PROGRESS']);

/**
 * Before names of groups carried the id of the installation, this group committed under another name. Its positions are
 * carried over to the new name, before a reader joins: without them a group would read everything again, or skip what
 * came since. Does nothing for a group that has committed under its new name. Throws UnavailableError.
 */
export async function carryOver(log: ServedLog, group: GroupName): Promise<void> {
  const { installation, ...before } = log;
  if (installation === undefined) return;
  const { topics } = log.groups[group];
  const positions: Position[] = [];
  for (const topic of topics) {
    if ((await committedIn(log, group, topic)).size > 0) continue;
    for (const [partition, next] of await committedIn(before, group, topic)) positions.push({ topic, partition, next });
  }
  if (positions.length === 0) return;
  await log.connection.use(`positions of ${group}`, async ({ cluster }) => {
    try {
      await new GroupMember(cluster, log, { group, topics }).commit(positions);
    } catch (error) {
      // A member of the group has carried them over itself, before it joined.
      if (!HAS_MEMBERS.has((error as { type?: unknown }).type)) throw error;
    }
  });
}
