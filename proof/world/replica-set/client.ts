import { MongoNotConnectedError, type Document, type MongoClient } from 'mongodb';
import type { Mongo } from '../../../stores/mongodb/database/client';
import { PATIENCE } from '../../../stores/mongodb/transactions/contention';
import { ModelCollection } from './collection';
import { ModelCursor } from './cursor';
import { aggregated } from './operators';
import { ModelSession } from './session';
import { Storage } from './storage';
import type { Index } from './table';
import { SAFE_WIRE, type Wire } from './wire';

/** The limit of each wait of a client, ms. */
const TIMEOUT = 15_000;

/**
 * A model of a MongoDB replica set, for the part of the driver that the stores use. The same contract holds it that
 * holds the real servers (test/contract/drivers.ts). Query, update and aggregation operators are
 * mingo's; transactions, locks, unique keys and sessions are ours (docs/proof.md).
 */
export class ReplicaSet {
  readonly sessions = new Set<ModelSession>();
  private serial = 0;

  constructor(readonly storage = new Storage()) {}

  /** Another one with the same data. */
  copy(): ReplicaSet {
    return new ReplicaSet(this.storage.copy());
  }

  /** A client, as openMongo opens one. */
  connect(
    database: string,
    wire: Wire = SAFE_WIRE,
    { random = Math.random, timeoutMS = TIMEOUT }: Partial<Pick<Mongo, 'random' | 'timeoutMS'>> = {},
  ): Mongo {
    let isClosed = false;
    const guarded: Wire = {
      call: (name, run, session) => {
        if (isClosed) return Promise.reject(new MongoNotConnectedError('Client must be connected'));
        return wire.call(name, run, session);
      },
    };
    const db = this.database(database, guarded);
    const own = new Set<ModelSession>();
    const client = {
      startSession: ({ snapshot = false } = {}) => {
        this.serial += 1;
        const session = new ModelSession(this.serial, `kurir ${database}`, snapshot, this.storage, guarded);
        this.sessions.add(session);
        own.add(session);
        return session;
      },
      db: () => ({
        aggregate: ([, ...pipeline]: Document[]) =>
          new ModelCursor(() => guarded.call('currentOp', () => aggregated(pipeline, this.shownSessions(), () => []))),
        command: ({ killSessions = [] }: { killSessions?: { id: number }[] }) =>
          guarded.call('killSessions', () => this.kill(killSessions.map(({ id }) => id))),
      }),
    };
    const close = async (): Promise<void> => {
      isClosed = true;
    };
    return {
      client: client as unknown as MongoClient,
      db: db as unknown as Mongo['db'],
      timeoutMS,
      patience: PATIENCE,
      random,
      close,
    };
  }

  private shownSessions(): Document[] {
    return [...this.sessions].flatMap(({ shown }) => (shown ? [shown] : []));
  }

  private kill(ids: readonly number[]): void {
    for (const session of this.sessions) {
      if (session.transaction && ids.includes(session.id)) this.storage.abort(session.transaction);
    }
  }

  private database(databaseName: string, wire: Wire) {
    const { storage } = this;
    return {
      databaseName,
      collection: (name: string) => new ModelCollection(storage, wire, name),
      listCollections: () =>
        new ModelCursor(() =>
          wire.call('listCollections', () =>
            storage.names.map((name) => ({ name, type: 'collection', options: {}, info: {} })),
          ),
        ),
      createCollection: (name: string) => wire.call('create', () => void storage.table(name)),
      dropDatabase: () => wire.call('dropDatabase', () => storage.drop()),
      command: ({ createIndexes, indexes = [], ...other }: { createIndexes?: string; indexes?: Index[] }) =>
        wire.call('command', () => {
          if (createIndexes === undefined) return other;
          const { indexes: there } = storage.table(createIndexes);
          for (const index of indexes) if (there.every(({ name }) => name !== index.name)) there.push(index);
          return { ok: 1 };
        }),
    };
  }
}
