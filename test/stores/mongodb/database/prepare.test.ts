import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { MongoServerError, type Db } from 'mongodb';
import { untilReachable } from '../../../../app/engines/until-reachable';
import { openMongo, type Mongo } from '../../../../stores/mongodb/database/client';
import { COLLECTIONS, SCHEMA_VERSION } from '../../../../stores/mongodb/database/collections';
import { documents } from '../../../../stores/mongodb/database/documents';
import { compareCollections, prepareCollections } from '../../../../stores/mongodb/database/prepare';
import { readSchema, requireCurrent, type DatabaseSchema } from '../../../../stores/mongodb/database/schema-step';
import {
  DifferingSchemaError,
  FIRST_RELEASE,
  NewerSchemaError,
  OlderSchemaError,
  UnavailableError,
  UnreleasedSchemaError,
} from '../../../../lib/errors';
import { atOnce } from '../../../contract/helpers';
import { describeOn, uniqueName } from '../../../support/real-services';

describeOn(['mongodb'], 'collections and indexes', ({ mongodb }) => {
  let mongo: Mongo;
  beforeAll(async () => {
    mongo = await openMongo({ url: mongodb, database: uniqueName() });
  });
  beforeEach(() => mongo.db.dropDatabase());
  afterAll(async () => {
    await mongo.db.dropDatabase();
    await mongo.close();
  });
  const texts = async () => (await compareCollections(mongo.db)).map(({ kind, text }) => `${kind}: ${text}`);

  it('are made where they are missing, by several processes at once, and then left alone', async () => {
    const all = Object.entries(COLLECTIONS).flatMap(([name, indexes]) => [name, ...indexes.map((index) => index.name)]);
    expect(await compareCollections(mongo.db)).toHaveLength(all.length);
    await atOnce(3, () => prepareCollections(mongo.db));
    expect(await compareCollections(mongo.db)).toEqual([]);
    await prepareCollections(mongo.db);
    expect(await documents(mongo.db, 'meta').findOne()).toEqual({
      _id: 'schema',
      version: SCHEMA_VERSION,
      since: FIRST_RELEASE,
    });
  });

  it('are refused where they differ, by name, and nothing is changed', async () => {
    await mongo.db.createCollection('contacts');
    await mongo.db.collection('contacts').createIndex({ email: 1 }, { name: 'contacts_by_email' });
    await mongo.db.createCollection('gates', { capped: true, size: 4_096 });
    const refused = prepareCollections(mongo.db);
    await expect(refused).rejects.toBeInstanceOf(DifferingSchemaError);
    await expect(refused).rejects.toThrow(
      /index contacts_by_email of contacts differs.*collection gates is not a regular/,
    );
    expect((await mongo.db.listCollections().toArray()).map(({ name }) => name).sort()).toEqual(['contacts', 'gates']);
  });

  it('may have an index beside them that does no harm, but none that would refuse or delete data', async () => {
    await prepareCollections(mongo.db);
    await mongo.db.collection('ledger').createIndex({ at: 1 }, { name: 'for_reports' });
    await prepareCollections(mongo.db);
    expect(await texts()).toEqual(['extra: index for_reports of ledger does not belong to Kurir']);
    await mongo.db.collection('ledger').createIndex({ kind: 1 }, { name: 'one_each', unique: true });
    await expect(prepareCollections(mongo.db)).rejects.toThrow(/one_each of ledger/);
  });

  it.each([
    [11602, 'InterruptedDueToReplStateChange'],
    [10107, 'NotWritablePrimary'],
    [13435, 'NotPrimaryNoSecondaryOk'],
  ])('that an election hides (%d, %s) are looked at again once it is over, and then made', async (code, codeName) => {
    let elections = 3;
    const listCollections = (...args: Parameters<Db['listCollections']>): unknown => {
      if (elections-- > 0) throw new MongoServerError({ code, codeName, message: 'operation was interrupted' });
      return mongo.db.listCollections(...args);
    };
    const db = Object.assign(Object.create(mongo.db) as Db, { listCollections });
    const waits: (string | null)[] = [];
    const onWait = (reason: string | null): unknown => waits.push(reason);
    const how = { server: 'MongoDB', signal: new AbortController().signal, onWait, firstWait: 1 };
    await untilReachable(how, () => prepareCollections(db));
    expect(waits).toEqual([...Array<unknown>(3).fill(expect.stringContaining('operation was interrupted')), null]);
    expect(await compareCollections(mongo.db)).toEqual([]);
  });

  it('that somebody dropped are made again', async () => {
    await prepareCollections(mongo.db);
    await mongo.db.collection('ledger').dropIndex('ledger_of_workspace');
    expect(await texts()).toEqual(['missing: index ledger_of_workspace of ledger is missing']);
    await prepareCollections(mongo.db);
    expect(await texts()).toEqual([]);
  });

  /** A release after this one: settings say who set them. */
  const nextSchema = (run: (db: Db) => Promise<unknown> = setActors): DatabaseSchema => ({
    version: SCHEMA_VERSION + 1,
    steps: [
      { to: SCHEMA_VERSION, run: () => Promise.reject(new Error('made before')) },
      { to: SCHEMA_VERSION + 1, run: async (db) => void (await run(db)) },
    ],
  });
  const setActors = (db: Db) =>
    db.collection('settings').updateMany({ actor: { $exists: false } }, { $set: { actor: 'nobody' } });
  const goneAlready = () => Promise.resolve();
  const meta = () => documents(mongo.db, 'meta');
  const CURRENT = { _id: 'schema', since: FIRST_RELEASE };

  it('of an older release take its step, from several processes at once, and the older one refuses them', async () => {
    await prepareCollections(mongo.db);
    await documents(mongo.db, 'settings').insertOne({ _id: 'first_run', value: 'true' });
    await mongo.db.collection('ledger').dropIndex('ledger_of_workspace');
    await atOnce(3, () => prepareCollections(mongo.db, goneAlready, nextSchema()));
    expect(await texts()).toEqual([]);
    const version = SCHEMA_VERSION + 1;
    expect(await meta().findOne()).toEqual({ ...CURRENT, version, writers: version });
    expect(await mongo.db.collection('settings').findOne()).toMatchObject({ value: 'true', actor: 'nobody' });
    await expect(prepareCollections(mongo.db)).rejects.toBeInstanceOf(NewerSchemaError);
    await expect(requireCurrent(mongo.db)).rejects.toBeInstanceOf(NewerSchemaError);
    const again = nextSchema(() => Promise.reject(new Error('taken already')));
    await prepareCollections(mongo.db, goneAlready, again);
  });

  it('change only once no older process lives, and are closed to them first, so that half a step is finished', async () => {
    await prepareCollections(mongo.db);
    const before = await meta().findOne();
    const refused = prepareCollections(mongo.db, () => Promise.reject(new Error('one lives')), nextSchema());
    await expect(refused).rejects.toThrow('one lives');
    expect(await meta().findOne()).toEqual(before);

    const writers: unknown[] = [];
    const look = async () => void writers.push((await meta().findOne())?.writers);
    const killed = nextSchema(() => Promise.reject(new Error('killed')));
    await expect(prepareCollections(mongo.db, look, killed)).rejects.toThrow('killed');
    expect(writers).toEqual([undefined, SCHEMA_VERSION + 1]);
    // Begun, so no older program may start, nor a command of either release.
    await expect(prepareCollections(mongo.db)).rejects.toBeInstanceOf(NewerSchemaError);
    await expect(requireCurrent(mongo.db)).rejects.toBeInstanceOf(NewerSchemaError);
    await expect(requireCurrent(mongo.db, SCHEMA_VERSION + 1)).rejects.toBeInstanceOf(OlderSchemaError);
    await prepareCollections(mongo.db, look, nextSchema());
    await requireCurrent(mongo.db, SCHEMA_VERSION + 1);
  });

  it('of a version before the first release are refused by everything, and not touched', async () => {
    await meta().insertOne({ _id: 'schema', version: 19, writers: 19 });
    const said = /^The database \w+ was made by a version before 0\.1\.0, which was never released: start on an empty/;
    await expect(prepareCollections(mongo.db)).rejects.toThrow(said);
    await expect(requireCurrent(mongo.db)).rejects.toBeInstanceOf(UnreleasedSchemaError);
    await expect(readSchema(mongo.db)).rejects.toBeInstanceOf(UnreleasedSchemaError);
    expect((await mongo.db.listCollections().toArray()).map(({ name }) => name)).toEqual(['meta']);
    expect(await meta().findOne()).toEqual({ _id: 'schema', version: 19, writers: 19 });
  });

  it('are told to be out of reach when no server answers', async () => {
    const nobody = openMongo({ url: 'mongodb://127.0.0.1:1/?replicaSet=rs0', database: 'nobody', timeoutMS: 300 });
    await expect(nobody).rejects.toBeInstanceOf(UnavailableError);
  });
});
