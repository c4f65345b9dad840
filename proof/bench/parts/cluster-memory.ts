import { withTimeout } from '../../../lib/with-timeout';
import { ROLES, type Role } from '../../../operations/config/roles';
import { type ClusterStage, withCluster } from '../cluster-stage';
import { processUsage } from '../../crash/process-usage';
import { type Section, whole } from '../report';
import type { Service } from '../service';
import { refuseFaults } from './accept';
import { checkSink } from '../timed-round';
import { PER_WORKSPACE } from './end-to-end';

export const MEMORY_TITLE = 'Cluster: memory of a process';

const LOAD = 16;
const CONNECTIONS = 20;
const MAILS = 2_000;
const QUICK_MAILS = 500;
/** A round that takes longer has lost its mails, ms. */
const LIMIT = 180_000;

/** The sending server is that of the bench. */
const MEASURED: readonly Role[] = ROLES.filter((role) => role !== 'sandbox');

/** Resident memory of a process of each role, and of one with all roles, after some work. */
export async function roleMemory(quick: boolean, env: NodeJS.ProcessEnv): Promise<Section> {
  const mails = quick ? QUICK_MAILS : MAILS;
  const perRound = Math.ceil(mails / PER_WORKSPACE);
  const rows = await withCluster(env, 2 * perRound, async (stage) => {
    const apart = await Promise.all(MEASURED.map((role) => stage.start([role], CONNECTIONS)));
    await work(stage, apart[MEASURED.indexOf('api')]!, mails);
    const found = MEASURED.map((role, place) => memoryRow(role, apart[place]!));
    await Promise.all(apart.map((service) => service.stop()));
    const all = await stage.start(null, CONNECTIONS);
    await work(stage, all, mails);
    return [...found, memoryRow('all of them', all)];
  });
  return {
    title: MEMORY_TITLE,
    about: `Resident memory of a process with that role alone after ${whole(mails)} mails went their way through all of them.`,
    head: ['role', 'MB', 'peak MB'],
    rows,
  };
}

async function work({ load, sink, takeSenders }: ClusterStage, { port }: Service, mails: number): Promise<void> {
  await sink.call('reset', undefined);
  const arrived = sink.call('waitFor', mails);
  const senders = takeSenders(Math.ceil(mails / PER_WORKSPACE));
  refuseFaults([await load.call('load', { port, senders, connections: LOAD, until: { requests: mails } })]);
  await withTimeout(arrived, LIMIT, { what: 'sending every mail' });
  checkSink(await sink.call('count', undefined));
}

function memoryRow(name: string, { pid }: Service): string[] {
  const usage = processUsage(pid);
  return [name, usage ? whole(usage.memory) : 'n/a', usage ? whole(usage.peakMemory) : 'n/a'];
}
