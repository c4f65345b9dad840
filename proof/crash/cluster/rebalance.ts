import { sleep } from '../../../lib/sleep';
import type { Scenario } from './scenario';

const ROUNDS = 4;

/** Partitions move between processes again and again while mail is sent. */
export const rebalance: Scenario = {
  about: 'further throttle and dispatch processes join and leave, four times',
  async run({ processes, every, progress }) {
    for (let round = 1; round <= ROUNDS; round++) {
      progress(`join, round ${round}`);
      const joined = await Promise.all(['throttle', 'dispatch'].map((roles) => processes.join(roles, 2 + round)));
      await sleep(every);
      for (const member of joined) await processes.leave(member);
      await sleep(every / 2);
    }
    return [];
  },
};
