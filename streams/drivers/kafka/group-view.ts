import { AssignerProtocol } from 'kafkajs';
import { namesOf, partitionKey, type GroupName, type TopicPartition } from '../../topics';
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

/** A partition that no member of a group reads. */
export interface Unread extends TopicPartition {
  group: GroupName;
}

/** The planned partitions that no member of their groups holds. Groups that are rebalancing are left out. */
export async function unreadPartitions(log: ServedLog): Promise<Unread[]> {
  const groups = namesOf(log.groups);
  const held = await heldBy(log, groups);
  return groups.flatMap((group) => {
    const own = held.get(group);
    if (!own) return [];
    return log.groups[group].topics.flatMap((topic) =>
      Array.from({ length: log.partitions.count(topic) }, (_, partition) => ({ group, topic, partition })).filter(
        (one) => !own.has(partitionKey(one)),
      ),
    );
  });
}

/** The partitions that members of the group hold (see partitionKey); null while the group is rebalancing. */
const assignedIn = async (log: ServedLog, group: GroupName): Promise<Set<string> | null> =>
  (await heldBy(log, [group])).get(group) ?? null;

/** The same for several groups. */
function heldBy(log: ServedLog, wanted: readonly GroupName[]): Promise<Map<GroupName, Set<string> | null>> {
  const { connection, prefix, groups } = log;
  return connection.use(`members of ${wanted.join(', ')}`, async ({ admin }) => {
    const { groups: answers } = await admin.describeGroups(wanted.map((group) => groupName(log, group)));
    const found = new Map(answers.map((answer) => [answer.groupId, answer]));
    return new Map(
      wanted.map((group) => {
        const answer = found.get(groupName(log, group));
        if (!answer || answer.state === 'PreparingRebalance' || answer.state === 'CompletingRebalance') {
          return [group, null];
        }
        const held = answer.members.flatMap(({ memberAssignment }) => {
          const assignment = AssignerProtocol.MemberAssignment.decode(memberAssignment)?.assignment ?? {};
          return groups[group].topics.flatMap((topic) =>
            (assignment[topicName(prefix, topic)] ?? []).map((partition) => partitionKey({ topic, partition })),
          );
        });
        return [group, new Set(held)];
      }),
    );
  });
}
