import { AssignerProtocol } from 'kafkajs';
import type { GroupName } from '../../topics';
import { GROUPS } from '../../topics';
import type { KafkajsConnection } from './kafkajs/connection';
import { groupName, topicName } from './names';
import { positionsOf } from './offsets';
import type { GroupView } from './watchdog';

/** See GroupView. Throws UnavailableError. */
export async function viewGroup(connection: KafkajsConnection, prefix: string, group: GroupName): Promise<GroupView> {
  const partitions = await positionsOf(connection, prefix, group);
  const assigned = await assignedIn(connection, prefix, group);
  const numbers = partitions.map(({ partition }) => partition);
  return {
    partitions,
    unassigned: new Set(numbers.filter((partition) => assigned && !assigned.has(partition))),
    settled: assigned !== null,
  };
}

/** The partitions that members of the group hold; null while they are being told. */
function assignedIn(connection: KafkajsConnection, prefix: string, group: GroupName): Promise<Set<number> | null> {
  const topic = topicName(prefix, GROUPS[group]);
  return connection.use(`members of ${group}`, async ({ admin }) => {
    const { groups } = await admin.describeGroups([groupName(prefix, group)]);
    const found = groups[0];
    if (!found || found.state === 'PreparingRebalance' || found.state === 'CompletingRebalance') return null;
    const held = found.members.flatMap(
      ({ memberAssignment }) => AssignerProtocol.MemberAssignment.decode(memberAssignment)?.assignment[topic] ?? [],
    );
    return new Set(held);
  });
}
