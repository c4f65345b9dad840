import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbedded } from '../../../stores/embedded/open';
import { openMongo, type Mongo } from '../../../stores/mongodb/client';
import { COLLECTIONS } from '../../../stores/mongodb/collections';
import { mongoStores } from '../../../stores/mongodb/mongo-stores';
import { prepareCollections } from '../../../stores/mongodb/prepare';
import type { Engine } from '../../../stores/ports/engine';
import type { OutgoingRecord } from '../../../streams/records';
import { frozenClock } from '../../support/clock';
import { describeOn } from '../../support/real-services';
import type { OpenedEngine, OpenEngine } from '../harness';

/** Real time between two looks for records that a crash left behind, ms. */
const SWEEP_EVERY = 100;

type Clock = OpenedEngine['clock'];

/** Runs a suite on real servers; where there are none it is reported as skipped, with the reason. */
export function onCluster(suite: (open: OpenEngine) => void): void {
  describeOn(['mongodb'], 'on the cluster engine', ({ mongodb }) => suite(() => openCluster(mongodb)));
}

/** Creating indexes is slow, so a worker keeps one database and empties it. */
const database = `kurir_contract_${process.env['JEST_WORKER_ID'] ?? '0'}`;

async function openCluster(url: string): Promise<OpenedEngine> {
  const clock = frozenClock();
  const lives: Life[] = [];
  const log = await temporaryLog(clock);
  const start = async (): Promise<Engine> => {
    const life = await startLife(url, log);
    lives.push(life);
    return life.engine;
  };
  await emptyDatabase(url);
  return {
    engine: await start(),
    clock,
    reopen: async () => {
      for (const life of lives.splice(0)) await life.kill();
      await log.restart();
      return start();
    },
    audit: () => Promise.reject(new Error('there is no audit of the cluster engine')),
    destroy: async () => {
      for (const life of lives.splice(0)) await life.kill();
      await log.destroy();
    },
  };
}

/** One process, as far as a test can have one inside its own. */
interface Life {
  engine: Engine;
  /** Ends its connections where they are: nothing it has not yet sent arrives. */
  kill(): Promise<void>;
}

async function startLife(url: string, log: TemporaryLog): Promise<Life> {
  const mongo = await openMongo({ url, database });
  await prepareCollections(mongo.db);
  const clock = log.clock;
  const { log: events } = log.engine;
  const publish = (records: readonly OutgoingRecord[]): Promise<void> => events.publish(records);
  const { stores, sweeper, close } = mongoStores(mongo, { clock, publish, sweepEvery: SWEEP_EVERY });
  sweeper.start();
  const engine: Engine = {
    stores,
    log: events,
    close: async () => {
      await close();
      await mongo.close();
      await log.engine.close();
    },
  };
  return {
    engine,
    kill: async () => {
      await mongo.close();
      await sweeper.stop();
    },
  };
}

async function emptyDatabase(url: string): Promise<void> {
  const mongo: Mongo = await openMongo({ url, database });
  await prepareCollections(mongo.db);
  const names = Object.keys(COLLECTIONS).filter((name) => name !== 'meta');
  await Promise.all(names.map((name) => mongo.db.collection(name).deleteMany({})));
  await mongo.close();
}

/** The embedded log on a file of its own. It outlives its readers' processes, as a server does. */
interface TemporaryLog {
  readonly clock: Clock;
  readonly engine: Engine;
  restart(): Promise<void>;
  destroy(): Promise<void>;
}

async function temporaryLog(clock: Clock): Promise<TemporaryLog> {
  const root = await mkdtemp(join(tmpdir(), 'kurir-contract-log-'));
  const file = join(root, 'log.db');
  let engine = await openEmbedded({ file, clock });
  return {
    clock,
    get engine() {
      return engine;
    },
    restart: async () => {
      await engine.close();
      engine = await openEmbedded({ file, clock });
    },
    destroy: async () => {
      await engine.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}
