import { MongoClient } from 'mongodb';
import type { Role } from '../../../operations/config/roles';
import { HOUR, SECOND } from '../../../lib/clock';
import { sleep } from '../../../lib/sleep';
import type { Engine } from '../../../stores/ports/engine';
import { processUsage } from '../../crash/process-usage';
import { type ClusterStage, withCluster } from '../cluster-stage';
import { fixed, whole, type Section } from '../report';
import type { Service } from '../service';
import { percentile } from '../time';
import { fillWaiting, type WaitingFill } from '../waiting-fill';
import { refuseFaults } from './accept';

export const REST_TITLE = 'Cluster: at rest, and beside waiting workspaces';

/** Ten processes. */
const PROCESSES: readonly (readonly Role[])[] = [
  ...([['api'], ['public'], ['throttle'], ['throttle'], ['dispatch'], ['dispatch']] as const),
  ...([['mta-feedback'], ['engagement', 'coins'], ['webhooks', 'conversions']] as const),
  ['campaigns', 'journeys', 'timers'],
];
const CONNECTIONS = 20;

interface Effort extends WaitingFill {
  /** Until everything has started and settled, s. */
  settle: number;
  /** The measured rest, s. */
  rest: number;
  /** Mails whose wait is measured, and how many a second. */
  mails: number;
  rate: number;
}
const FULL: Effort = { workspaces: 100_000, messages: 10, settle: 30, rest: 60, mails: 400, rate: 5 };
const QUICK: Effort = { workspaces: 500, messages: 10, settle: 10, rest: 10, mails: 50, rate: 5 };

/** What ten processes cost while nothing is to be done, and how long a new mail waits for its hand-over. */
export async function restCost(quick: boolean, env: NodeJS.ProcessEnv): Promise<Section> {
  const effort = quick ? QUICK : FULL;
  const rows = await withCluster(env, 3, async (stage) => {
    const [template, ...senders] = stage.takeSenders(3);
    const services = await Promise.all(PROCESSES.map((roles) => stage.start(roles, CONNECTIONS)));
    const engine = await stage.installation.open();
    try {
      const empty = await measure(stage, { services, sender: senders[0]! }, effort);
      const sendAt = new Date(Date.now() + HOUR).toISOString();
      const until = { requests: 1 };
      refuseFaults([
        await stage.load.call('load', { port: services[0]!.port, senders: [template!], connections: 1, until, sendAt }),
      ]);
      const { MONGODB_URL: url, MONGODB_DATABASE: database } = stage.installation.env;
      const first = (await engine.stores.queue.workspacesWaiting(0, 1))[0]!;
      await fillWaiting({ url: url!, database: database! }, engine.log.partitions(), first, effort);
      const full = await measure(stage, { services, sender: senders[1]! }, effort);
      const sweep = await timeOfSweep(engine);
      return [
        ['0', ...empty, ''],
        [whole(effort.workspaces), ...full, whole(sweep)],
      ];
    } finally {
      await engine.close();
    }
  });
  return {
    title: REST_TITLE,
    about: `Ten processes (two throttle, two dispatch) over ${effort.rest} s with nothing to do: empty, and with workspaces of which each has ${effort.messages} messages that wait for a later hour. Then ${effort.mails} transactional mails at ${effort.rate} a second: from accept to the beginning of the hand-over. A sweep is one pass over all waiting workspaces, which each throttle makes at its start.`,
    head: [
      'workspaces that wait',
      'processor, % of a core',
      'requests/s of MongoDB',
      'MB a process',
      'wait p50 ms',
      'wait p99 ms',
      'a sweep, ms',
    ],
    rows,
  };
}

interface Measured {
  services: readonly Service[];
  sender: ReturnType<ClusterStage['takeSenders']>[number];
}

async function measure(stage: ClusterStage, { services, sender }: Measured, effort: Effort): Promise<string[]> {
  await sleep(effort.settle * SECOND);
  const before = await usage(stage, services);
  await sleep(effort.rest * SECOND);
  const after = await usage(stage, services);
  const { port } = services[0]!;
  const since = Date.now();
  const seconds = effort.mails / effort.rate;
  const sent = await stage.load.call('steady', { port, senders: [sender], rate: effort.rate, seconds });
  refuseFaults([sent]);
  await sleep(5 * SECOND);
  const waits = await waitsSince(stage, since);
  if (waits.length < effort.mails) throw new Error(`only ${waits.length} of ${effort.mails} mails were handed over`);
  return [
    fixed(((after.cpu - before.cpu) / effort.rest) * 100, 1),
    fixed((after.requests - before.requests) / effort.rest, 1),
    whole(after.memory / services.length),
    whole(percentile(waits, 0.5)),
    whole(percentile(waits, 0.99)),
  ];
}

async function usage(
  { installation }: ClusterStage,
  services: readonly Service[],
): Promise<{ cpu: number; memory: number; requests: number }> {
  const used = services.map(({ pid }) => processUsage(pid));
  const sum = (of: 'cpuSeconds' | 'memory'): number => used.reduce((all, one) => all + (one?.[of] ?? NaN), 0);
  return { cpu: sum('cpuSeconds'), memory: sum('memory'), requests: await requestsOf(installation.env) };
}

/** Requests that the server has taken, of all its clients; heartbeats of the driver and of replication are left out. */
async function requestsOf(env: Readonly<Record<string, string>>): Promise<number> {
  const client = await MongoClient.connect(env.MONGODB_URL!);
  try {
    const { opcounters, metrics } = await client.db('admin').command({ serverStatus: 1 });
    const counts = opcounters as Record<string, number>;
    const commands = metrics as { commands: Record<string, { total: number | bigint }> };
    const hellos = ['hello', 'isMaster', 'ping'].reduce(
      (sum, name) => sum + Number(commands.commands[name]?.total ?? 0),
      0,
    );
    return ['query', 'insert', 'update', 'delete', 'getmore', 'command'].reduce(
      (sum, of) => sum + counts[of]!,
      -hellos,
    );
  } finally {
    await client.close();
  }
}

/** From accept to the fence of each message accepted since, ms. */
async function waitsSince({ installation }: ClusterStage, since: number): Promise<number[]> {
  const { MONGODB_URL: url, MONGODB_DATABASE: database } = installation.env;
  const client = await MongoClient.connect(url!);
  try {
    const found = client
      .db(database)
      .collection<{ createdAt: number; fencedAt: number }>('messages')
      .find({ createdAt: { $gte: since }, fencedAt: { $gte: 0 } }, { projection: { createdAt: 1, fencedAt: 1 } });
    return (await found.toArray()).map(({ createdAt, fencedAt }) => fencedAt - createdAt);
  } finally {
    await client.close();
  }
}

const PAGE = 1_000;

async function timeOfSweep({ stores: { queue, looks } }: Engine): Promise<number> {
  const begun = performance.now();
  for (let after = 0; ;) {
    const page = await queue.workspacesWaiting(after, PAGE);
    await looks.find(page);
    if (page.length < PAGE) return performance.now() - begun;
    after = page.at(-1)!;
  }
}
