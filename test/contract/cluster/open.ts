import { mongoAudit } from '../../../stores/mongodb/audit/audit-source';
import { mongoPersonalData } from '../../../stores/mongodb/audit/personal-data';
import { ReplicaSet } from '../../../proof/world/replica-set/client';
import { openMongo, type Mongo } from '../../../stores/mongodb/database/client';
import { COLLECTIONS } from '../../../stores/mongodb/database/collections';
import { mongoStores } from '../../../stores/mongodb/stores';
import { compareCollections, prepareCollections } from '../../../stores/mongodb/database/prepare';
import type { Engine } from '../../../stores/ports/engine';
import type { LogView } from '../../../streams/log-view';
import type { OutgoingRecord } from '../../../streams/records';
import { frozenClock } from '../../support/clock';
import { describeOn, workerName } from '../../support/real-services';
import type { OpenedEngine, OpenEngine } from '../harness';
import { TEST_GROUPS } from '../test-groups';
import { fileLog, kafkaLog, type LogServer } from './log-servers';

/** Interval of the search for records that a crash left behind, ms of real time. */
const SWEEP_EVERY = 100;

type Clock = OpenedEngine['clock'];

/** Runs a suite on real servers; without them it is skipped, with the reason. */
export function onMongodb(suite: (open: OpenEngine) => void): void {
  describeOn(['mongodb'], 'on MongoDB', ({ mongodb }) => suite(() => openCluster(servers(mongodb), fileLog)));
}

/** The same with the log on Kafka, for suites that use both. */
export function onMongodbAndKafka(suite: (open: OpenEngine) => void): void {
  describeOn(['kafka', 'mongodb'], 'on MongoDB and Kafka', ({ kafka, mongodb }) =>
    suite(() => openCluster(servers(mongodb), (clock) => kafkaLog(clock, kafka.split(',')))),
  );
}

/** Creating indexes is slow, so a worker keeps one database and empties it. */
const database = `kurir_contract_${workerName()}`;

/** What the machine is too busy for is late, not refused: a caller would repeat it. */
const LATE = { timeoutMS: 60_000, patience: { shared: 30_000, alone: 60_000 } };

const servers = (url: string) => (): Promise<Mongo> => openMongo({ url, database, ...LATE });

/** On the model of a replica set in which simulated worlds play, with the log on a file (docs/proof.md). */
export const openModel: OpenEngine = async () => {
  const replicaSet = new ReplicaSet();
  return openCluster(
    async () => replicaSet.connect(database),
    (clock) => fileLog(clock, TEST_GROUPS),
  );
};

async function openCluster(
  connect: () => Promise<Mongo>,
  openServer: (clock: Clock) => Promise<LogServer>,
): Promise<OpenedEngine> {
  const clock = frozenClock();
  const server = await openServer(clock);
  await emptyDatabase(await connect());
  let life = await startLife(await connect(), server, clock);
  return {
    engine: life.engine,
    clock,
    reopen: async () => {
      await life.kill();
      life = await startLife(await connect(), server, clock);
      return life.engine;
    },
    ...(server.records && { records: server.records }),
    audit: async () => mongoAudit(await connect(), life.view),
    personalData: async () => mongoPersonalData(await connect(), life.view),
    destroy: async () => {
      await life.kill();
      await server.destroy();
    },
  };
}

/** One process, as far as a test can imitate it inside its own. */
interface Life {
  engine: Engine;
  view: LogView;
  /** Cuts its connections: nothing arrives that it has not yet sent. */
  kill(): Promise<void>;
}

async function startLife(mongo: Mongo, server: LogServer, clock: Clock): Promise<Life> {
  const {
    log,
    view,
    close: closeLog,
  } = await orClose(mongo, async () => {
    await prepareCollections(mongo.db);
    return server.open(mongo);
  });
  const publish = (records: readonly OutgoingRecord[]): Promise<void> => log.publish(records);
  const { stores, sweeper, close } = mongoStores(mongo, { clock, publish, sweepEvery: SWEEP_EVERY });
  sweeper.start();
  const engine: Engine = {
    stores,
    log,
    close: async () => {
      await close();
      await closeLog();
      await mongo.close();
    },
  };
  return {
    engine,
    view,
    kill: async () => {
      await mongo.close();
      await sweeper.stop();
      await closeLog();
    },
  };
}

async function emptyDatabase(mongo: Mongo): Promise<void> {
  await orClose(mongo, async () => {
    // The plan may have changed since the last run.
    if ((await compareCollections(mongo.db)).some(({ kind }) => kind === 'differs')) await mongo.db.dropDatabase();
    await prepareCollections(mongo.db);
    const names = Object.keys(COLLECTIONS).filter((name) => name !== 'meta');
    await Promise.all(names.map((name) => mongo.db.collection(name).deleteMany({})));
  });
  await mongo.close();
}

/** A client whose first work failed is of no use to anybody. */
async function orClose<T>(mongo: Mongo, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await mongo.close();
    throw error;
  }
}
