import { SECOND } from '../../../lib/clock';
import { sleep } from '../../../lib/sleep';
import type { Member } from './member';
import type { Scenario } from './scenario';

const DOWN = SECOND;

/**
 * Kills every process once with SIGKILL and restarts it a moment later. The roles come in random order, first one
 * process of each and then the other, so that the first has long restarted when its partner dies.
 */
export const killProcesses: Scenario = {
  about: 'every process is killed with SIGKILL, one at a time, and restarted',
  silence: 15 * SECOND,
  async run({ processes, random, every, progress }) {
    const half = processes.members.length / 2;
    const order = Array.from({ length: half }, (_, index) => ({ index, at: random() })).sort((a, b) => a.at - b.at);
    const turns = [...order, ...order.map(({ index }) => ({ index: index + half }))];
    for (const { index } of turns) {
      const member = processes.members[index] as Member;
      progress(`kill ${member.name}`);
      await processes.kill(member);
      await sleep(DOWN);
      if (!(await processes.startMember(member))) return [`${member.name} did not restart`];
      await sleep(every);
    }
    return [];
  },
};
