import { sleep } from '../../lib/sleep';
import type { Scenario } from './scenario';

/** Stops every process with SIGTERM and starts it again, one at a time, as an upgrade does. */
export const rollingRestart: Scenario = {
  about: 'every process is stopped with SIGTERM and started again, one at a time, twice',
  async run({ processes, every, progress }) {
    const faults: string[] = [];
    for (const round of [1, 2]) {
      for (const member of [...processes.members]) {
        progress(`restart ${member.name}, round ${round}`);
        const fault = await processes.stopMember(member);
        if (fault !== null) faults.push(fault);
        if (!(await processes.startMember(member))) return [`${member.name} did not start again`];
        await sleep(every / 3);
      }
    }
    return faults;
  },
};
