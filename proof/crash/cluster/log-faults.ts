import { Kafka, logLevel, type Admin } from 'kafkajs';
import { readConfig } from '../../../app/config/config';
import { SECOND } from '../../../lib/clock';
import { sleep } from '../../../lib/sleep';
import { clusterGrow } from '../../../app/operator/cluster-admin';
import { DEFAULT_PARTITIONS } from '../../../streams/partitions';
import { GROUPS, namesOf, TOPIC_NAMES } from '../../../streams/topics';
import { groupName } from '../../../streams/drivers/kafka/names';
import type { Member } from '../stage/member';
import { ALL_ROLES } from '../stage/role-lists';
import type { Scenario, ScenarioContext } from './scenario';
import { shardOwners } from './shard-owners';

const AFTER = 20 * SECOND;
/** How long the servers may remember members that have left. */
const PATIENCE = 60 * SECOND;
const GROWN = 16;

async function withAdmin<T>(
  { installation: { env } }: ScenarioContext,
  work: (admin: Admin, prefix: string) => Promise<T>,
): Promise<T> {
  const { cluster } = readConfig(env);
  if (!cluster) throw new Error('no cluster');
  const { brokers, prefix } = cluster.kafka;
  const admin = new Kafka({ clientId: 'kurir-crash', brokers, logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  try {
    return await work(admin, prefix);
  } finally {
    await admin.disconnect();
  }
}

/** Every group starts over at the oldest record: everything kept is read and handled a second time. */
export const resetOffsets: Scenario = {
  about:
    'all readers are stopped, the positions of every group are deleted, and the readers start over at the oldest record',
  async run(context) {
    const { stage, progress } = context;
    const readers = [...stage.members].filter(({ name }) => !name.startsWith('api'));
    progress('stop the readers');
    const faults = await Promise.all(readers.map((member: Member) => stage.stopMember(member)));
    const engine = await context.installation.open();
    const installation = (await engine.stores.settings.get('installation_id')) as string;
    await engine.close();
    progress('delete the positions of their groups');
    await withAdmin(context, (admin, prefix) =>
      forget(
        admin,
        namesOf(GROUPS).map((group) => groupName({ prefix, installation }, group)),
      ),
    );
    await stage.mustStart(readers);
    await sleep(AFTER);
    return faults.flat();
  },
};

/** Groups can be deleted once the servers know that their members have left. */
async function forget(admin: Admin, groups: readonly string[]): Promise<void> {
  for (const end = Date.now() + PATIENCE; ; await sleep(SECOND)) {
    const known = (await admin.listGroups()).groups.map(({ groupId }) => groupId);
    const left = groups.filter((group) => known.includes(group));
    if (left.length === 0) return;
    if (Date.now() > end) throw new Error(`${left.join(', ')} could not be deleted`);
    await admin.deleteGroups(left).catch(() => undefined);
  }
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
    await withAdmin(context, async (admin, prefix) => {
      const topicPartitions = TOPIC_NAMES.map((topic) => ({ topic: `${prefix}${topic}`, count: GROWN }));
      await admin.createPartitions({ topicPartitions });
    });
    const [member] = stage.members;
    const faults = (await untilTold(member as Member)) ? [] : ['no process told of the partitions'];
    progress('take them into use');
    const { cluster } = readConfig(installation.env);
    const grown = await clusterGrow(cluster!, TOPIC_NAMES, GROWN);
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
  inTime(async () => {
    const { status, body } = await member.ask('/readyz');
    return status === 200 && JSON.stringify(body).includes(`has ${GROWN} partitions`);
  });

/** True once every shard of the new count has an owner. */
const untilHeld = ({ installation }: ScenarioContext): Promise<boolean> =>
  inTime(async () => (await shardOwners(installation, GROWN)).size === GROWN);

/** True once records lie in partitions that were not there before. */
const untilUsed = (context: ScenarioContext): Promise<boolean> =>
  inTime(() =>
    withAdmin(context, async (admin, prefix) => {
      const offsets = await admin.fetchTopicOffsets(`${prefix}messages.dispatch`);
      return offsets.some(({ partition, high }) => partition >= DEFAULT_PARTITIONS && Number(high) > 0);
    }),
  );

async function inTime(look: () => Promise<boolean>): Promise<boolean> {
  for (const end = Date.now() + PATIENCE; Date.now() < end; await sleep(SECOND)) if (await look()) return true;
  return false;
}
