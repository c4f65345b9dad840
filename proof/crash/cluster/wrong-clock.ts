import { HOUR, MINUTE, SECOND } from '../../../lib/clock';
import { DEFAULT_PARTITIONS } from '../../../streams/partitions';
import type { Member } from '../stage/member';
import { ALL_ROLES } from '../stage/role-lists';
import { until } from '../stage/until';
import type { Scenario, ScenarioContext } from './scenario';
import { shardOwners } from './shard-owners';

/** Until the groups have changed hands, ms. */
const PATIENCE = { every: 500, patience: 120 * SECOND };
const SHARDS = DEFAULT_PARTITIONS;

/**
 * A process on a machine whose clock is wrong joins, and its clock is set right later. Then its clock jumps ahead and
 * back, and behind and back.
 */
export const wrongClock: Scenario = {
  about: 'a process joins with a clock a minute behind, which is set right, jumps an hour ahead, back, and behind',
  silence: 15 * SECOND,
  async run(context) {
    const { stage, progress } = context;
    // Killed processes may not have taken their share again yet.
    const owners = stage.withRole('throttle').length;
    const before = await untilShared(context, owners, 'before a wrong clock');
    progress('a process with a clock a minute behind joins');
    const stray = await stage.join(ALL_ROLES, stage.members.length + 1, -MINUTE);
    const faults = [before, await whileWrong(context, stray, owners), await setRight(context, stray, owners + 1)];
    for (const skew of [HOUR, -HOUR]) {
      progress(`the clock of one process jumps by ${skew / MINUTE} minutes`);
      await stray.skew(skew);
      faults.push(await whileWrong(context, stray, owners), await setRight(context, stray, owners + 1));
    }
    return faults.flat();
  },
};

/** The others hold every shard, and it takes no mail and says why. */
async function whileWrong(context: ScenarioContext, member: Member, owners: number): Promise<string[]> {
  const faults = await untilShared(context, owners, 'beside a wrong clock');
  const { status, body } = await member.ask('/readyz');
  if (status !== 503 || !JSON.stringify(body).includes('the clock of this machine')) {
    faults.push(`the /readyz of a wrong clock answered ${status}: ${JSON.stringify(body)}`);
  }
  const submitted = await member.ask('/v1/messages', 'POST');
  if (submitted.status !== 503) faults.push(`the API of a wrong clock answered ${submitted.status} to a mail`);
  return faults;
}

/** It takes its share again, without a restart. */
async function setRight(context: ScenarioContext, member: Member, owners: number): Promise<string[]> {
  await member.skew(0);
  const faults = await untilShared(context, owners, 'after a clock was set right');
  const isReady = async (): Promise<boolean> => (await member.ask('/readyz')).status === 200;
  return (await until(isReady, PATIENCE)) ? faults : [...faults, 'its /readyz was not 200 after its clock was right'];
}

/** Waits until so many processes hold all shards between them. */
async function untilShared(
  { installation, progress }: ScenarioContext,
  owners: number,
  when: string,
): Promise<string[]> {
  const began = Date.now();
  let holders: string[] = [];
  const isShared = async (): Promise<boolean> => {
    holders = [...(await shardOwners(installation, SHARDS)).values()];
    return holders.length === SHARDS && new Set(holders).size === owners;
  };
  if (await until(isShared, PATIENCE)) {
    progress(`${owners} processes held every shard ${when}, ${Date.now() - began} ms later`);
    return [];
  }
  return [`${holders.length} shards were held by ${new Set(holders).size} processes ${when}, not all by ${owners}`];
}
