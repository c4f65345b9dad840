import { SECOND } from '../../domain/clock';
import { sleep } from '../load';
import type { Scenario } from './scenario';

const DOWN = SECOND;

/** Every process once, in random order: SIGKILL, and a new life a moment later. */
export const killProcesses: Scenario = {
  about: 'every process is killed with SIGKILL, one at a time, and started again',
  silence: 15 * SECOND,
  async play({ cast, random, every, progress }) {
    const order = cast.members.map((member) => ({ member, at: random() })).sort((a, b) => a.at - b.at);
    for (const { member } of order) {
      progress(`kill ${member.name}`);
      await cast.kill(member);
      await sleep(DOWN);
      if (!(await cast.raise(member))) return [`${member.name} did not start again`];
      await sleep(every);
    }
    return [];
  },
};
