import { expect, it } from '@jest/globals';
import { ReadConcern } from 'mongodb';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { AbandonedTransactions } from '../../../../stores/mongodb/transactions/abandoned';
import type { Mongo } from '../../../../stores/mongodb/database/client';
import { documents } from '../../../../stores/mongodb/database/documents';
import { describeOn } from '../../../support/real-services';
import { ownDatabase } from '../support';

const DRIVER = join(__dirname, '../../../../node_modules/mongodb');

/** Changes the lease in a transaction, says so, and does nothing more. */
const holder = (url: string, database: string, name: string): string => `
  const { MongoClient } = require(${JSON.stringify(DRIVER)});
  const client = new MongoClient(${JSON.stringify(url)}, { appName: ${JSON.stringify(name)} });
  const session = client.startSession();
  session.startTransaction();
  client.db(${JSON.stringify(database)}).collection('leases')
    .updateOne({ _id: 'shard' }, { $inc: { epoch: 1 } }, { session })
    .then(() => console.log('held'));
  setInterval(() => {}, 1000);`;

/** So that the database can be deleted. */
async function endTransactions({ client }: Mongo, name: string): Promise<void> {
  const admin = client.db('admin', { readConcern: new ReadConcern('local') });
  const open = [{ $currentOp: { idleSessions: true } }, { $match: { appName: name, transaction: { $exists: true } } }];
  const sessions = await admin.aggregate<{ lsid: { id: unknown } }>(open).toArray();
  expect(sessions).toHaveLength(1);
  await admin.command({ killSessions: sessions.map(({ lsid }) => ({ id: lsid.id })) });
}

describeOn(['mongodb'], 'a transaction of a killed process', ({ mongodb }) => {
  const database = ownDatabase(mongodb);
  const faults: unknown[] = [];

  async function leaveOpen(name: string): Promise<void> {
    const { databaseName } = database.mongo.db;
    const child = spawn(process.execPath, ['-e', holder(mongodb, databaseName, name)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  it("is ended long before the server would, so that what it locked is free; nobody else's is", async () => {
    const leases = documents(database.mongo.db, 'leases');
    await leases.insertOne({ _id: 'shard', owner: 'one', epoch: 1, expiresAt: 0 });
    await leaveOpen(`kurir ${database.mongo.db.databaseName}`);
    const abandoned = new AbandonedTransactions(database.mongo, (error) => faults.push(error));
    abandoned.start();
    // Waits for the lock; the server would give up the other after a minute.
    expect(await leases.findOneAndUpdate({ _id: 'shard' }, { $inc: { epoch: 10 } })).toMatchObject({ epoch: 1 });

    await leaveOpen('another program');
    await new Promise((resolve) => setTimeout(resolve, 6_000));
    await abandoned.stop();
    const session = database.mongo.client.startSession();
    session.startTransaction();
    const write = leases.updateOne({ _id: 'shard' }, { $inc: { epoch: 10 } }, { session });
    await expect(write).rejects.toThrow('WriteConflict');
    await session.endSession();
    await endTransactions(database.mongo, 'another program');
    expect(faults).toEqual([]);
  });
});
