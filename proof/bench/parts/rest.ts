import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { randomBytes } from 'node:crypto';
import { AdvancingClock } from '../../../lib/advancing-clock';
import { SECOND } from '../../../lib/clock';
import { sleep } from '../../../lib/sleep';
import { embeddedInstallation, type Installation, withData } from '../../crash/installation';
import { SECRET } from '../../crash/seed';
import { withCluster } from '../cluster-stage';
import { startHelper } from '../helper';
import { inFolder } from '../in-folder';
import { fixed, whole, type Section } from '../report';
import { fillStates } from '../rest-fill';
import { seedWorkspaces } from '../seed';
import { startService } from '../service';
import { WalCommits } from '../wal-commits';

export const STATES_TITLE = 'At rest, with what may last for long';

interface Effort {
  /** Of each state. */
  count: number;
  /** Until everything has come to rest, s: looks grow rarer in this time. */
  settle: number;
  /** The measured rest, s. */
  rest: number;
}
const FULL: Effort = { count: 100, settle: 240, rest: 60 };
const QUICK: Effort = { count: 10, settle: 45, rest: 20 };
const CONNECTIONS = 4;

/** What one process with all roles asks of its store while everything only waits. */
export async function restOfStates(quick: boolean, env: NodeJS.ProcessEnv): Promise<Section> {
  const effort = quick ? QUICK : FULL;
  const rows = [
    ['embedded: transactions of SQLite', ...(await onEmbedded(effort))],
    ...(env.MONGODB_URL ? [['cluster: commands of MongoDB', ...(await onCluster(env, effort))]] : []),
  ];
  return {
    title: STATES_TITLE,
    about: `One process with all roles over ${effort.rest} s with nothing to do: empty, and ${effort.settle} s after it got ${effort.count} each of campaigns whose reports never come, of paused ones and of ones scheduled in 90 days, ${whole(20 * effort.count)} enrollments that wait 90 days (half of them in a paused journey), and ${effort.count} each of deliveries of a webhook that was switched off, of members who do not confirm, of sales without a click and of imports that stopped. Counts, by the write-ahead log and by MongoDB's profile of the database (the reads in a transaction each by itself).`,
    head: ['', 'empty, a second', 'with all states', 'by campaigns alone'],
    rows,
  };
}

/** Runs the counts: `count` resolves to the requests of some seconds, all and those that drive campaigns. */
async function measure(
  effort: Effort,
  count: (seconds: number) => Promise<{ all: number; campaigns: number | null }>,
  fill: () => Promise<void>,
): Promise<string[]> {
  await sleep(15 * SECOND);
  const empty = await count(effort.rest);
  await fill();
  await sleep(effort.settle * SECOND);
  const full = await count(effort.rest);
  const a = (n: number): string => fixed(n / effort.rest, 2);
  return [a(empty.all), a(full.all), full.campaigns === null ? '' : a(full.campaigns)];
}

const filling = (open: Installation['open'], domainId: number, count: number) =>
  withData({ open }, ({ stores }) => fillStates({ stores, workspaceId: 1, domainId, count }));

const onEmbedded = (effort: Effort): Promise<string[]> =>
  inFolder(async (folder) => {
    const installation = embeddedInstallation(folder);
    const clock = new AdvancingClock();
    const [sender] = await withData(installation, ({ stores }) => seedWorkspaces({ stores, clock, secret: SECRET }, 1));
    const sink = startHelper('sink');
    const mtaPort = await sink.call('listen', undefined);
    const env = { ...installation.env, KURIR_SECRET: SECRET };
    const service = await startService({ folder, env, mtaPort, connections: CONNECTIONS });
    const commits = new WalCommits(join(folder, 'kurir.sqlite-wal'));
    try {
      const count = async (seconds: number): Promise<{ all: number; campaigns: null }> => {
        commits.look();
        const before = commits.total;
        for (let second = 0; second < seconds; second += 1) {
          await sleep(SECOND);
          commits.look();
        }
        return { all: commits.total - before, campaigns: null };
      };
      return await measure(effort, count, () =>
        filling((clock) => installation.open(clock), sender!.domainId, effort.count),
      );
    } finally {
      await service.stop();
      sink.stop();
    }
  });

const onCluster = (env: NodeJS.ProcessEnv, effort: Effort): Promise<string[]> =>
  withCluster(env, 1, async (stage) => {
    const [sender] = stage.takeSenders(1);
    await stage.start(null, CONNECTIONS, { KURIR_PUBLIC_URL: 'https://bench.example', KURIR_SECRET: SECRET });
    const { MONGODB_URL: url, MONGODB_DATABASE: database } = stage.installation.env;
    const client = await MongoClient.connect(url!, { appName: `rest-${randomBytes(4).toString('hex')}` });
    const db = client.db(database);
    try {
      const count = async (seconds: number): Promise<{ all: number; campaigns: number }> => {
        await db.createCollection('system.profile', { capped: true, size: 64 * 1024 * 1024 }).catch(() => undefined);
        const since = new Date();
        await db.command({ profile: 2 });
        await sleep(seconds * SECOND);
        await db.command({ profile: 0 });
        const profile = db.collection('system.profile');
        const of = { ts: { $gte: since }, ns: { $not: /system\.profile/ } };
        const all = await profile.countDocuments(of);
        const campaigns = await profile.countDocuments({ ...of, ns: new RegExp(`^${database}\\.campaign`) });
        return { all, campaigns };
      };
      return await measure(effort, count, () =>
        filling((clock) => stage.installation.open(clock), sender!.domainId, effort.count),
      );
    } finally {
      await client.close();
    }
  });
