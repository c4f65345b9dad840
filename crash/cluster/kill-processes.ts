import { SECOND } from '../../lib/clock';
import { sleep } from '../../lib/sleep';
import type { Member } from './member';
import type { Scenario } from './scenario';

const DOWN = SECOND;

/**
 * Every process once: SIGKILL, and a new life a moment later. In a random order of roleLists, one process of each and then the other, so
 * that the first is long back when its partner dies.
 */
export const killProcesses: Scenario = {
  about: 'every process is killed with SIGKILL, one at a time, and started again',
  silence: 15 * SECOND,
  async run({ processes, random, every, progress }) {
    const half = processes.members.length / 2;
    const order = Array.from({ length: half }, (_, roles) => ({ roles, at: random() })).sort((a, b) => a.at - b.at);
    const turns = [...order, ...order.map(({ roles }) => ({ roles: roles + half }))];
    for (const { roles } of turns) {
      const member = processes.members[roles] as Member;
      progress(`kill ${member.name}`);
      await processes.kill(member);
      await sleep(DOWN);
      if (!(await processes.startMember(member))) return [`${member.name} did not start again`];
      await sleep(every);
    }
    return [];
  },
};
