import { sleep } from '../../../lib/sleep';
import type { Scenario } from './scenario';

/** Stops every process with SIGTERM and starts it again, one at a time, as an upgrade does. */
export const rollingRestart: Scenario = {
  about: 'every process is stopped with SIGTERM and started again, one at a time',
  async run({ processes, every, progress }) {
    const faults: string[] = [];
    for (const member of [...processes.members]) {
      progress(`restart ${member.name}`);
      const fault = await processes.stopMember(member);
      if (fault !== null) faults.push(fault);
      if (!(await processes.startMember(member))) return [...faults, `${member.name} did not start again`];
      await sleep(every / 3);
    }
    return faults;
  },
};
