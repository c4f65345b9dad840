import { sleep } from '../../../lib/sleep';
import type { Role } from '../../../operations/config/roles';
import { type ClusterStage, withCluster } from '../cluster-stage';
import { processUsage } from '../../crash/process-usage';
import { type Section, fixed, whole } from '../report';
import type { Service } from '../service';
import { median } from '../time';
import { refuseFaults } from './accept';
import { checkSink } from '../timed-round';
import { PER_WORKSPACE } from './end-to-end';

export const DISPATCH_TITLE = 'Cluster: dispatch processes';

const COUNTS = [1, 2, 4];
/** Connections of one process: few enough that the wait for the sending server is the limit, not the shared cores. */
const CONNECTIONS = 2;
/** Delay of the sending server's answer, ms. */
const ANSWER_AFTER = 50;
/** Hand-offs per second that the sending server allows one process. */
const LIMIT = (CONNECTIONS * 1_000) / ANSWER_AFTER;
const OTHERS: readonly Role[] = ['api', 'throttle', 'coins', 'mta-feedback', 'engagement', 'timers'];
/** Connections of the load generator. */
const LOAD = 64;
/** Time allowed for processes to start and stop, s. */
const SLACK = 8;

interface Effort {
  rounds: number;
  /** Until each process has its share of the partitions, s. */
  settle: number;
  /** The measured stretch, s. */
  seconds: number;
}
const FULL: Effort = { rounds: 3, settle: 8, seconds: 12 };
const QUICK: Effort = { rounds: 1, settle: 6, seconds: 4 };

interface Stretch {
  /** Hand-offs per second. */
  rate: number;
  /** Processor time of the dispatch processes per mail, ms; NaN where it cannot be read. */
  cpu: number;
}

/** Mails queued before a stretch, so that the queue cannot run dry. */
const mailsFor = (processes: number, { settle, seconds }: Effort): number =>
  processes * LIMIT * (settle + seconds + SLACK);

const sendersFor = (processes: number, effort: Effort): number =>
  Math.ceil(mailsFor(processes, effort) / PER_WORKSPACE);

/** Hand-offs per second with one, two and four dispatch processes. */
export async function dispatchScaling(quick: boolean, env: NodeJS.ProcessEnv): Promise<Section> {
  const effort = quick ? QUICK : FULL;
  const workspaces = effort.rounds * COUNTS.reduce((sum, count) => sum + sendersFor(count, effort), 0);
  const found = await withCluster(env, workspaces, (stage) => measure(stage, effort));
  const rows = COUNTS.map((count, place) => {
    const stretches = found.map((round) => round[place]!);
    const ratio = median(found.map((round) => round[place]!.rate / round[0]!.rate));
    const rate = median(stretches.map(({ rate: r }) => r));
    const cpu = median(stretches.map(({ cpu: c }) => c));
    const share = fixed((100 * rate) / (count * LIMIT), 0);
    return [String(count), whole(rate), fixed(ratio, 2), share, Number.isNaN(cpu) ? 'n/a' : fixed(cpu, 2)];
  });
  return {
    title: DISPATCH_TITLE,
    about:
      `Signed mails a second at a sending server that answers each after ${ANSWER_AFTER} ms, from a queue of premium ` +
      `workspaces that is filled before; the other roles share one more process. Each dispatch process has ${CONNECTIONS} ` +
      `connections instead of the usual 20, which allow it ${whole(LIMIT)} mails a second: processes, servers and sending ` +
      'server share the cores of this machine, which would be the limit otherwise and not the way the work is shared.',
    head: ['dispatch processes', 'mails/s', 'ratio', '% of what the connections allow', 'dispatch CPU ms/mail'],
    rows,
  };
}

async function measure(stage: ClusterStage, effort: Effort): Promise<Stretch[][]> {
  const { port } = await stage.start(OTHERS, CONNECTIONS);
  await stage.sink.call('answerAfter', ANSWER_AFTER);
  const rounds: Stretch[][] = [];
  for (let round = 0; round < effort.rounds; round++) {
    const stretches: Stretch[] = [];
    for (const count of COUNTS) stretches.push(await stretch(stage, port, count, effort));
    rounds.push(stretches);
  }
  return rounds;
}

async function stretch(stage: ClusterStage, port: number, count: number, effort: Effort): Promise<Stretch> {
  const { load, sink, takeSenders } = stage;
  const mails = mailsFor(count, effort);
  const senders = takeSenders(sendersFor(count, effort));
  refuseFaults([await load.call('load', { port, senders, connections: LOAD, until: { requests: mails } })]);
  await sink.call('reset', undefined);
  const processes = await Promise.all(Array.from({ length: count }, () => stage.start(['dispatch'], CONNECTIONS)));
  try {
    await sleep(effort.settle * 1_000);
    return await steadyRate(stage, processes, effort, mails);
  } finally {
    await Promise.all(processes.map((process) => process.stop()));
  }
}

async function steadyRate(
  { sink }: ClusterStage,
  processes: readonly Service[],
  { seconds }: Effort,
  queued: number,
): Promise<Stretch> {
  const cpuSeconds = (): number => processes.reduce((sum, { pid }) => sum + (processUsage(pid)?.cpuSeconds ?? NaN), 0);
  const [before, cpuBefore] = [await sink.call('count', undefined), cpuSeconds()];
  await sleep(seconds * 1_000);
  const [after, cpuAfter] = [await sink.call('count', undefined), cpuSeconds()];
  checkSink(after);
  const mails = after.mails - before.mails;
  if (after.mails >= queued) throw new Error('The queue ran dry while it was measured.');
  return { rate: (mails * 1_000) / (after.at - before.at), cpu: ((cpuAfter - cpuBefore) * 1_000) / mails };
}
