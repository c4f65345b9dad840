import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbedded } from '../../../stores/embedded/open';
import { openMongoAudit } from '../../../stores/mongodb/audit/audit-source';
import { openMongo, type Mongo } from '../../../stores/mongodb/client';
import { COLLECTIONS } from '../../../stores/mongodb/collections';
import { mongoStores } from '../../../stores/mongodb/mongo-stores';
import { compareCollections, prepareCollections } from '../../../stores/mongodb/prepare';
import type { Engine } from '../../../stores/ports/engine';
import type { EventLog } from '../../../streams/event-log';
import type { LogView } from '../../../streams/log-view';
import type { OutgoingRecord } from '../../../streams/records';
import { frozenClock } from '../../support/clock';
import { describeOn } from '../../support/real-services';
import type { OpenedEngine, OpenEngine } from '../harness';
import { embeddedLogView } from './embedded-log-view';

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
    audit: () => openMongoAudit({ url, database }, log.view),
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
  const events = log.log;
  const publish = (records: readonly OutgoingRecord[]): Promise<void> => events.publish(records);
  const { stores, sweeper, close } = mongoStores(mongo, { clock, publish, sweepEvery: SWEEP_EVERY });
  sweeper.start();
  const engine: Engine = {
    stores,
    log: events,
    close: async () => {
      await close();
      await mongo.close();
      await log.close();
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
  // The plan may have changed since the last run.
  if ((await compareCollections(mongo.db)).some(({ kind }) => kind === 'differs')) await mongo.db.dropDatabase();
  await prepareCollections(mongo.db);
  const names = Object.keys(COLLECTIONS).filter((name) => name !== 'meta');
  await Promise.all(names.map((name) => mongo.db.collection(name).deleteMany({})));
  await mongo.close();
}

/** The embedded log on a file of its own. It outlives its readers' processes, as a server does. */
interface TemporaryLog {
  readonly clock: Clock;
  readonly log: EventLog;
  readonly view: LogView;
  close(): Promise<void>;
  restart(): Promise<void>;
  destroy(): Promise<void>;
}

async function temporaryLog(clock: Clock): Promise<TemporaryLog> {
  const root = await mkdtemp(join(tmpdir(), 'kurir-contract-log-'));
  const file = join(root, 'log.db');
  let engine = await openEmbedded({ file, clock });
  let open = true;
  const close = async (): Promise<void> => {
    if (!open) return;
    open = false;
    await engine.close();
  };
  return {
    clock,
    view: embeddedLogView(file),
    get log() {
      return engine.log;
    },
    close,
    restart: async () => {
      await close();
      engine = await openEmbedded({ file, clock });
      open = true;
    },
    destroy: async () => {
      await close();
      await rm(root, { recursive: true, force: true });
    },
  };
}
