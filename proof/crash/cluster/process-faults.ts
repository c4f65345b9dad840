import { SECOND } from '../../../lib/clock';
import { sleep } from '../../../lib/sleep';
import { DEFAULT_PARTITIONS } from '../../../streams/partitions';
import type { Member } from '../stage/member';
import type { Scenario } from './scenario';
import { shardOwners } from './shard-owners';

const DOWN = SECOND;
const FROZEN = 60 * SECOND;
const AFTER = 10 * SECOND;
const ROUNDS = 4;

/**
 * Kills every process once with SIGKILL and restarts it a moment later. The roles come in random order, first one
 * process of each and then the other, so that the first has long restarted when its partner dies.
 */
export const killProcesses: Scenario = {
  about: 'every process is killed with SIGKILL, one at a time, and restarted',
  silence: 15 * SECOND,
  async run({ stage, random, every, progress }) {
    const half = stage.members.length / 2;
    const order = Array.from({ length: half }, (_, index) => ({ index, at: random.next() })).sort(
      (a, b) => a.at - b.at,
    );
    const turns = [...order, ...order.map(({ index }) => ({ index: index + half }))];
    for (const { index } of turns) {
      const member = stage.members[index] as Member;
      progress(`kill ${member.name}`);
      await stage.kill(member);
      await sleep(DOWN);
      await stage.mustStart([member]);
      await sleep(every);
    }
    return [];
  },
};

/** Freezes one process of each role that holds leases or partitions for a minute, then lets it continue. */
export const freezeProcesses: Scenario = {
  about: 'a throttle, a dispatch and a timers process are frozen for 60 s (SIGSTOP) and then continue',
  async run({ stage, installation, progress }) {
    const frozen = ['throttle', 'dispatch', 'timers'].map((role) => stage.withRole(role)[0] as Member);
    const owners = async (): Promise<number> =>
      new Set((await shardOwners(installation, DEFAULT_PARTITIONS)).values()).size;
    const before = await owners();
    progress(`freeze ${frozen.map(({ name }) => name).join(', ')}`);
    for (const member of frozen) member.process.freeze();
    await sleep(FROZEN);
    const during = await owners();
    for (const member of frozen) member.process.thaw();
    progress('continue');
    await sleep(AFTER);
    const faults = [];
    if (before !== 2) faults.push(`${before} processes held the shards before, not 2`);
    if (during !== 1) faults.push(`${during} processes held the shards while one of two was frozen, not 1`);
    return faults;
  },
};

/** Partitions move between processes again and again while mail is sent. */
export const rebalance: Scenario = {
  about: 'further throttle and dispatch processes join and leave, four times',
  async run({ stage, every, progress }) {
    for (let round = 1; round <= ROUNDS; round++) {
      progress(`join, round ${round}`);
      const joined = await Promise.all(['throttle', 'dispatch'].map((roles) => stage.join(roles, 2 + round)));
      await sleep(every);
      for (const member of joined) await stage.leave(member);
      await sleep(every / 2);
    }
    return [];
  },
};

/** Stops every process with SIGTERM and starts it again, one at a time, as an upgrade does. */
export const rollingRestart: Scenario = {
  about: 'every process is stopped with SIGTERM and started again, one at a time',
  async run({ stage, every, progress }) {
    const faults: string[] = [];
    for (const member of [...stage.members]) {
      progress(`restart ${member.name}`);
      faults.push(...(await stage.stopMember(member)));
      await stage.mustStart([member]);
      await sleep(every / 3);
    }
    return faults;
  },
};
