import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type ClusterStage, withCluster } from '../cluster-stage';
import type { SeededSender } from '../seed';
import { type Section, fixed, whole } from '../report';
import { seed } from '../seed';
import { type Service, startService } from '../service';
import { median } from '../time';
import type { Round } from '../timed-round';
import { ourRound, PER_WORKSPACE } from './end-to-end';

export const ENGINES_TITLE = 'Cluster and embedded, end to end';

/** Connections of the load generator, and of each service to the sending server. */
const LOAD = 64;
const CONNECTIONS = 20;

interface Effort {
  rounds: number;
  mails: number;
}
const FULL: Effort = { rounds: 3, mails: 4_000 };
const QUICK: Effort = { rounds: 1, mails: 1_000 };

/** Mails before the first round. */
const WARM_UP = 2_000;

/** Signed mails per second on each engine, all roles in one process: from the first POST to the last mail received. */
export async function engineRatio(quick: boolean, env: NodeJS.ProcessEnv): Promise<Section> {
  const effort = quick ? QUICK : FULL;
  const workspaces = Math.ceil(WARM_UP / PER_WORKSPACE) + effort.rounds * Math.ceil(effort.mails / PER_WORKSPACE);
  return withCluster(env, workspaces, async (stage) => {
    const cluster = await stage.start(null, CONNECTIONS);
    const embedded = await startEmbedded(stage, workspaces);
    try {
      return await compare(stage, [embedded, { service: cluster, takeSenders: stage.takeSenders }], effort);
    } finally {
      await embedded.service.stop();
    }
  });
}

interface Side {
  service: Service;
  takeSenders: (count: number) => SeededSender[];
}

async function startEmbedded({ folder, sinkPort }: ClusterStage, workspaces: number): Promise<Side> {
  const dataDir = join(folder, 'embedded');
  mkdirSync(dataDir);
  const secret = randomBytes(32).toString('hex');
  const senders = await seed({ dataDir, secret, workspaces });
  const env = { KURIR_DATA_DIR: dataDir, KURIR_SECRET: secret };
  const service = await startService({ folder, name: 'embedded', env, mtaPort: sinkPort, connections: CONNECTIONS });
  return { service, takeSenders: (count) => senders.splice(0, count) };
}

async function compare(
  { load, sink }: ClusterStage,
  sides: readonly [Side, Side],
  { rounds, mails }: Effort,
): Promise<Section> {
  const play = (side: Side, count: number): Promise<Round> =>
    ourRound({ ...side, load, sink, effort: { connections: LOAD } }, count);
  const found: [Round, Round][] = [];
  for (const side of sides) await play(side, WARM_UP);
  for (let round = 0; round < rounds; round++) found.push([await play(sides[0], mails), await play(sides[1], mails)]);
  const row = (name: string, side: 0 | 1, ratio: number): string[] => {
    const cpu = median(found.map((round) => round[side].cpu ?? NaN));
    const rate = median(found.map((round) => round[side].rate));
    return [name, whole(rate), fixed(ratio, 2), Number.isNaN(cpu) ? 'n/a' : fixed(cpu, 2)];
  };
  return {
    title: ENGINES_TITLE,
    about:
      `${whole(mails)} signed mails a round through the API, from the first request until the sending server has the last ` +
      `one, over ${CONNECTIONS} SMTP connections, all roles in one process; Kafka, MongoDB and Redis run on the same cores, and ` +
      'what they use is not in the CPU column.',
    head: ['engine', 'mails/s', 'ratio', 'service CPU ms/mail'],
    rows: [
      row('embedded', 0, 1),
      row('cluster', 1, median(found.map(([embedded, cluster]) => cluster.rate / embedded.rate))),
    ],
  };
}
