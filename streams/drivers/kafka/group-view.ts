import { AssignerProtocol } from 'kafkajs';
import { partitionKey, type GroupName } from '../../topics';
import { groupName, topicName, type ServedLog } from './names';
import { positionsOf } from './offsets';
import type { GroupView } from './watchdog';

/** See GroupView. Throws UnavailableError. */
export async function viewGroup(log: ServedLog, group: GroupName): Promise<GroupView> {
  const partitions = await positionsOf(log, group);
  const assigned = await assignedIn(log, group);
  const keys = partitions.map(partitionKey);
  return {
    partitions,
    unassigned: new Set(keys.filter((key) => assigned && !assigned.has(key))),
    settled: assigned !== null,
  };
}

/** The partitions that members of the group hold (see partitionKey); null while the group is rebalancing. */
function assignedIn(log: ServedLog, group: GroupName): Promise<Set<string> | null> {
  const { connection, prefix, groups } = log;
  return connection.use(`members of ${group}`, async ({ admin }) => {
    const { groups: answers } = await admin.describeGroups([groupName(log, group)]);
    const found = answers[0];
    if (!found || found.state === 'PreparingRebalance' || found.state === 'CompletingRebalance') return null;
    const held = found.members.flatMap(({ memberAssignment }) => {
      const assignment = AssignerProtocol.MemberAssignment.decode(memberAssignment)?.assignment ?? {};
      return groups[group].topics.flatMap((topic) =>
        (assignment[topicName(prefix, topic)] ?? []).map((partition) => partitionKey({ topic, partition })),
      );
    });
    return new Set(held);
  });
}
