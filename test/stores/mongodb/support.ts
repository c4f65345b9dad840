import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { openMongo, type Mongo, type MongoOptions } from '../../../stores/mongodb/database/client';
import { mongoStores, type MongoStores, type MongoStoresOptions } from '../../../stores/mongodb/stores';
import { prepareCollections } from '../../../stores/mongodb/database/prepare';
import type { OutgoingRecord } from '../../../streams/records';
import { frozenClock } from '../../support/clock';
import { uniqueName } from '../../support/real-services';

/** A log whose mood a case sets, since no real one refuses or hangs when it is told to. */
export class FlakyLog {
  mood: 'works' | 'refuses' | 'hangs' = 'works';
  readonly records: OutgoingRecord[] = [];
  /** Calls of `publish`. */
  calls = 0;
  /** Records in one call at most. */
  largest = 0;

  readonly publish = (records: readonly OutgoingRecord[]): Promise<void> => {
    this.calls += 1;
    this.largest = Math.max(this.largest, records.length);
    if (this.mood === 'hangs') return new Promise(() => undefined);
    if (this.mood === 'refuses') return Promise.reject(new Error('no broker answers'));
    this.records.push(...records);
    return Promise.resolve();
  };

  /** Distinct ids of messages in the records of a topic. */
  messageIds(topic: OutgoingRecord['topic']): Set<string> {
    const ofTopic = this.records.filter((record) => record.topic === topic);
    return new Set(ofTopic.map(({ value }) => (value as { messageId: string }).messageId));
  }
}

/** A process as far as the stores are concerned: a client and the stores on it. */
export interface Instance extends MongoStores {
  mongo: Mongo;
  /** Its connections end where they are. */
  kill(): Promise<void>;
}

/** A database of its own for a test file, gone afterwards; what a case opened on it is closed after the case. */
export function ownDatabase(url: string) {
  const database = uniqueName();
  const open: Instance[] = [];
  const admin = { mongo: null as Mongo | null };
  const the = (): Mongo => {
    if (!admin.mongo) throw new Error('the database is not open');
    return admin.mongo;
  };
  beforeAll(async () => {
    admin.mongo = await openMongo({ url, database });
    await prepareCollections(the().db);
  });
  afterEach(async () => {
    for (const instance of open.splice(0)) await instance.kill();
  });
  afterAll(async () => {
    await the().db.dropDatabase();
    await the().close();
  });
  return {
    /** A client that outlives every instance. */
    get mongo(): Mongo {
      return the();
    },
    /** The sweeper does not run before it is started. */
    async instance(
      options: Partial<MongoStoresOptions> & Pick<MongoStoresOptions, 'publish'>,
      client: Partial<MongoOptions> = {},
    ): Promise<Instance> {
      const mongo = await openMongo({ url, database, ...client });
      const stores = mongoStores(mongo, { clock: frozenClock(), sweepEvery: 50, ...options });
      const instance: Instance = {
        ...stores,
        mongo,
        kill: async () => {
          await mongo.close();
          await stores.sweeper.stop();
        },
      };
      open.push(instance);
      return instance;
    },
  };
}
