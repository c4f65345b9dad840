import { SECOND } from '../../lib/clock';
import { sleep } from '../../lib/sleep';
import type { Member } from './member';
import type { Scenario } from './scenario';

const DOWN = SECOND;

/**
 * Every process once: SIGKILL, and a new life a moment later. In a random order of duties, one process of each and then the other, so
 * that the first is long back when its partner dies.
 */
export const killProcesses: Scenario = {
  about: 'every process is killed with SIGKILL, one at a time, and started again',
  silence: 15 * SECOND,
  async play({ cast, random, every, progress }) {
    const half = cast.members.length / 2;
    const order = Array.from({ length: half }, (_, duty) => ({ duty, at: random() })).sort((a, b) => a.at - b.at);
    const turns = [...order, ...order.map(({ duty }) => ({ duty: duty + half }))];
    for (const { duty } of turns) {
      const member = cast.members[duty] as Member;
      progress(`kill ${member.name}`);
      await cast.kill(member);
      await sleep(DOWN);
      if (!(await cast.raise(member))) return [`${member.name} did not start again`];
      await sleep(every);
    }
    return [];
  },
};
