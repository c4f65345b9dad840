import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { MongoServerError, type Db } from 'mongodb';
import { untilReachable } from '../../../../app/engines/until-reachable';
import { openMongo, type Mongo } from '../../../../stores/mongodb/database/client';
import { COLLECTIONS, SCHEMA_VERSION } from '../../../../stores/mongodb/database/collections';
import { documents } from '../../../../stores/mongodb/database/documents';
import { compareCollections, prepareCollections } from '../../../../stores/mongodb/database/prepare';
import { requireCurrent } from '../../../../stores/mongodb/database/schema-step';
import { DifferingSchemaError, NewerSchemaError, UnavailableError } from '../../../../lib/errors';
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
    expect(await documents(mongo.db, 'meta').findOne()).toEqual({ _id: 'schema', version: SCHEMA_VERSION });
  });

  it('are refused where they differ, by name, and nothing is changed', async () => {
    await mongo.db.createCollection('contacts');
    await mongo.db.collection('contacts').createIndex({ email: 1 }, { name: 'contacts_by_email' });
    await mongo.db.createCollection('gates', { capped: true, size: 4_096 });
    const refused = prepareCollections(mongo.db);
    await expect(refused).rejects.toBeInstanceOf(DifferingSchemaError);
    await expect(refused).rejects.toThrow(
      /index contacts_by_email of contacts differs.*collection gates is not a plain/,
    );
    expect((await mongo.db.listCollections().toArray()).map(({ name }) => name).sort()).toEqual(['contacts', 'gates']);
  });

  it('may have an index beside them that does no harm, but none that would refuse or delete data', async () => {
    await prepareCollections(mongo.db);
    await mongo.db.collection('ledger').createIndex({ at: 1 }, { name: 'for_reports' });
    await prepareCollections(mongo.db);
    expect(await texts()).toEqual(["extra: index for_reports of ledger is not this program's"]);
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

  it('of schema version 2 gain what came since, and keep what they hold', async () => {
    await prepareCollections(mongo.db);
    await mongo.db.dropCollection('dueTasks');
    await documents(mongo.db, 'meta').updateOne({ _id: 'schema' }, { $set: { version: 2 } });
    await documents(mongo.db, 'settings').insertOne({ _id: 'first_run', value: 'true' });
    await atOnce(3, () => prepareCollections(mongo.db));
    expect(await texts()).toEqual([]);
    expect(await documents(mongo.db, 'meta').findOne()).toEqual({
      _id: 'schema',
      version: SCHEMA_VERSION,
      writers: SCHEMA_VERSION,
    });
    expect(await documents(mongo.db, 'settings').countDocuments()).toBe(1);
  });

  it('of schema version 6 have journeys that are their first version, and enrolments at their first step', async () => {
    await prepareCollections(mongo.db);
    await documents(mongo.db, 'meta').updateOne({ _id: 'schema' }, { $set: { version: 6 } });
    const mail = { kind: 'email', domainId: 1, subject: 'Halo', html: '<p>Halo</p>', text: null };
    const steps = [{ kind: 'wait', ms: 60_000 }, mail];
    const older = mongo.db.collection<{ _id: number | string }>('journeys');
    const journey = { workspaceId: 1, name: 'Sambutan', status: 'active', triggerType: 'api', audienceId: null };
    await older.insertOne({ _id: 4, ...journey, steps, goal: null, secretSealed: 'k1', createdAt: 5 } as {
      _id: number;
    });
    const enrolled = { workspaceId: 1, journeyId: 4, contactId: 9, step: 0, dueAt: 61_000, goalReached: false };
    const enrollments = mongo.db.collection<{ _id: string }>('enrollments');
    await enrollments.insertOne({ _id: 'e', ...enrolled, enrolledAt: 61_000 } as { _id: string });
    await atOnce(3, () => prepareCollections(mongo.db));
    expect(await documents(mongo.db, 'journeyVersions').find().toArray()).toEqual([
      { _id: '4:1', journeyId: 4, version: 1, steps, goal: null, createdAt: 5 },
    ]);
    const { html, text } = mail;
    expect(await documents(mongo.db, 'journeyMails').find().toArray()).toEqual([{ _id: '4:1:2', html, text }]);
    const [task] = await documents(mongo.db, 'dueTasks').find().toArray();
    expect(task).toMatchObject({ _id: 'journey-step:e', lane: 'journey:4', dueAt: 120_000, readyAt: 120_000 });
    const { goalReached: _gone, ...kept } = enrolled;
    const now = { step: 1, since: 61_000, dueAt: 120_000, version: 1, status: 'active', reason: null };
    expect(await documents(mongo.db, 'enrollments').find().toArray()).toEqual([
      { _id: 'e', ...kept, enrolledAt: 61_000, ...now, goalAt: null, endedAt: null },
    ]);
    expect(await documents(mongo.db, 'journeys').findOne()).toMatchObject({ _id: 4, version: 1 });
  });

  it('of schema version 12 have the journeys of their linked sales', async () => {
    await prepareCollections(mongo.db);
    await documents(mongo.db, 'meta').updateOne({ _id: 'schema' }, { $set: { version: 12 } });
    const older = <T extends object>(name: string, rows: T[]) =>
      mongo.db.collection<{ _id: string }>(name).insertMany(rows as (T & { _id: string })[]);
    await older('messages', [
      { _id: 'm1', workspaceId: 1, journeyId: 4 },
      { _id: 'm2', workspaceId: 1, journeyId: null },
    ]);
    const link = { clickId: 'c', clickedAt: 5, campaignId: null };
    await older('conversions', [
      { _id: 's1', workspaceId: 1, amount: 5, occurredAt: 6, link: { ...link, messageId: 'm1' } },
      { _id: 's2', workspaceId: 1, amount: 7, occurredAt: 6, link: { ...link, messageId: 'm2' } },
      { _id: 's3', workspaceId: 1, amount: 9, occurredAt: 6, messageId: 'm1' },
    ]);
    await atOnce(3, () => prepareCollections(mongo.db));
    const found = await documents(mongo.db, 'conversions').find().sort({ _id: 1 }).toArray();
    expect(found.map((sale) => sale.link?.journeyId)).toEqual([4, null, undefined]);
  });

  it('of schema version 14 lose the indexes that longer ones replace', async () => {
    await prepareCollections(mongo.db);
    await documents(mongo.db, 'messages').createIndex({ contactId: 1 }, { name: 'messages_of_contact' });
    await documents(mongo.db, 'meta').updateOne({ _id: 'schema' }, { $set: { version: 14 } });
    await atOnce(3, () => prepareCollections(mongo.db));
    expect(await texts()).toEqual([]);
  });

  it('of a newer program are not touched', async () => {
    await documents(mongo.db, 'meta').insertOne({ _id: 'schema', version: SCHEMA_VERSION + 1 });
    await expect(prepareCollections(mongo.db)).rejects.toBeInstanceOf(NewerSchemaError);
    expect(await mongo.db.listCollections().toArray()).toHaveLength(1);
  });

  it('of an older program change only once no older process lives, and are closed to them first', async () => {
    const meta = documents(mongo.db, 'meta');
    await prepareCollections(mongo.db);
    await meta.updateOne({ _id: 'schema' }, { $set: { version: SCHEMA_VERSION - 1 } });
    await mongo.db.collection('ledger').dropIndex('ledger_of_workspace');
    const before = await meta.findOne();
    const refused = prepareCollections(mongo.db, () => Promise.reject(new Error('one lives')));
    await expect(refused).rejects.toThrow('one lives');
    expect(await meta.findOne()).toEqual(before);
    expect(await texts()).toHaveLength(1);

    const writers: unknown[] = [];
    await prepareCollections(mongo.db, async () => void writers.push((await meta.findOne())?.writers));
    expect(writers).toEqual([undefined, SCHEMA_VERSION]);
    expect(await meta.findOne()).toEqual({ _id: 'schema', version: SCHEMA_VERSION, writers: SCHEMA_VERSION });
    expect(await texts()).toEqual([]);
    await prepareCollections(mongo.db, () => Promise.reject(new Error('nothing changes, so nobody is asked')));
  });

  it('that a newer program has begun to change are not touched, nor by a command', async () => {
    await prepareCollections(mongo.db);
    await requireCurrent(mongo.db);
    await documents(mongo.db, 'meta').updateOne({ _id: 'schema' }, { $set: { writers: SCHEMA_VERSION + 1 } });
    await expect(prepareCollections(mongo.db)).rejects.toBeInstanceOf(NewerSchemaError);
    await expect(requireCurrent(mongo.db)).rejects.toBeInstanceOf(NewerSchemaError);
    await documents(mongo.db, 'meta').updateOne({ _id: 'schema' }, { $set: { version: 1, writers: 1 } });
    await expect(requireCurrent(mongo.db)).rejects.toThrow(/has schema version 1, this program needs/);
  });

  it('are told to be out of reach when no server answers', async () => {
    const nobody = openMongo({ url: 'mongodb://127.0.0.1:1/?replicaSet=rs0', database: 'nobody', timeoutMS: 300 });
    await expect(nobody).rejects.toBeInstanceOf(UnavailableError);
  });
});
