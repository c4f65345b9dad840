import type { Admin } from 'kafkajs';
import { readConfig } from '../../../operations/config/config';
import { SECOND } from '../../../lib/clock';
import { sleep } from '../../../lib/sleep';
import { clusterTools } from '../../../app/engines/cluster-admin';
import { DEFAULT_PARTITIONS } from '../../../streams/partitions';
import { GROUPS, namesOf, TOPIC_NAMES, type GroupName } from '../../../streams/topics';
import { groupName } from '../../../streams/drivers/kafka/names';
import { withData } from '../installation';
import type { Member } from '../stage/member';
import { ALL_ROLES } from '../stage/role-lists';
import { until } from '../stage/until';
import { withKafka } from './clients';
import type { Scenario, ScenarioContext } from './scenario';
import { shardOwners } from './shard-owners';

const AFTER = 20 * SECOND;
/** How long the servers may remember members that have left. */
const PATIENCE = { every: SECOND, patience: 60 * SECOND };
const GROWN = 16;

/** Every group starts over at the oldest record: everything kept is read and handled a second time. */
export const resetOffsets: Scenario = {
  about:
    'all readers are stopped, the positions of every group are deleted, and the readers start over at the oldest record',
  async run({ stage, progress, installation }) {
    const readers = [...stage.members].filter(({ name }) => !name.startsWith('api'));
    progress('stop the readers');
    const faults = await Promise.all(readers.map((member) => stage.stopMember(member)));
    const id = await withData(installation, ({ stores }) => stores.settings.get('installation_id'));
    progress('delete the positions of their groups');
    const nameOf = (prefix: string, group: GroupName): string => groupName({ prefix, installation: String(id) }, group);
    await withKafka(installation.env, (admin, prefix) =>
      forget(
        admin,
        namesOf(GROUPS).map((group) => nameOf(prefix, group)),
      ),
    );
    await stage.mustStart(readers);
    await sleep(AFTER);
    return faults.flat();
  },
};

/** Groups can be deleted once the servers know that their members have left. */
async function forget(admin: Admin, groups: readonly string[]): Promise<void> {
  const areGone = async (): Promise<boolean> => {
    const known = (await admin.listGroups()).groups.map(({ groupId }) => groupId);
    const left = groups.filter((group) => known.includes(group));
    if (left.length > 0) await admin.deleteGroups(left).catch(() => undefined);
    return left.length === 0;
  };
  if (!(await until(areGone, PATIENCE))) throw new Error('The groups could not be deleted.');
}

/**
 * The servers give every topic more partitions, which the processes tell of and leave empty. Then `kurir topics grow`
 * takes them into use: workspaces change their shards, and records lie in the new partitions.
 */
export const growPartitions: Scenario = {
  about: `every topic grows to ${GROWN} partitions while the processes run`,
  async run(context) {
    const { installation, progress, stage } = context;
    progress(`give every topic ${GROWN} partitions`);
    await withKafka(installation.env, async (admin, prefix) => {
      const topicPartitions = TOPIC_NAMES.map((topic) => ({ topic: `${prefix}${topic}`, count: GROWN }));
      await admin.createPartitions({ topicPartitions });
    });
    const [member] = stage.members;
    const faults = (await untilTold(member as Member)) ? [] : ['no process told of the partitions'];
    progress('take them into use');
    const { cluster } = readConfig(installation.env);
    const grown = await clusterTools(cluster!).growTopics(TOPIC_NAMES, GROWN);
    if (grown.length < TOPIC_NAMES.length) faults.push(`only these grew: ${grown.join(', ')}`);
    if (!(await untilHeld(context))) faults.push('the new shards were not held');
    if (!(await untilUsed(context))) faults.push('the new partitions stayed empty');
    await stage.join(ALL_ROLES, stage.members.length + 1);
    await sleep(AFTER);
    return faults;
  },
};

/** True once `/readyz` tells of the new partitions, while the process stays ready. */
const untilTold = (member: Member): Promise<boolean> =>
  until(async () => {
    const { status, body } = await member.ask('/readyz');
    return status === 200 && JSON.stringify(body).includes(`has ${GROWN} partitions`);
  }, PATIENCE);

/** True once every shard of the new count has an owner. */
const untilHeld = ({ installation }: ScenarioContext): Promise<boolean> =>
  until(async () => (await shardOwners(installation, GROWN)).size === GROWN, PATIENCE);

/** True once records lie in partitions that were not there before. */
const untilUsed = ({ installation: { env } }: ScenarioContext): Promise<boolean> =>
  withKafka(env, (admin, prefix) =>
    until(async () => {
      const offsets = await admin.fetchTopicOffsets(`${prefix}messages.dispatch`);
      return offsets.some(({ partition, high }) => partition >= DEFAULT_PARTITIONS && Number(high) > 0);
    }, PATIENCE),
  );
