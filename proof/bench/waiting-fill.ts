import { randomUUID } from 'node:crypto';
import { MongoClient, type Db, type Document } from 'mongodb';
import { HOUR } from '../../lib/clock';
import type { Partitions } from '../../streams/partitions';
import { SHARD_TOPIC } from '../../domain/queue/shards';

/** Documents in one insert. */
const BATCH = 5_000;
/** Numbers of workspaces that no seeded one has. */
const FIRST = 1_000_000;

export interface WaitingFill {
  workspaces: number;
  /** Messages that wait in each. */
  messages: number;
}

/**
 * Copies the waiting messages of one workspace, written by the service, into many new workspaces: their mail waits for
 * a later hour, and each has the row that tells when to look at it.
 */
export async function fillWaiting(
  { url, database }: { url: string; database: string },
  partitions: Partitions,
  template: number,
  { workspaces, messages }: WaitingFill,
): Promise<void> {
  const client = await MongoClient.connect(url);
  try {
    const db = client.db(database);
    const [workspace, message] = await Promise.all([
      db.collection<{ _id: number } & Document>('workspaces').findOne({ _id: template }),
      db.collection('messages').findOne({ workspaceId: template, status: 'queued' }),
    ]);
    if (!workspace || !message) throw new Error('the workspace to copy has no message waiting');
    const at = Date.now() + HOUR;
    for (let done = 0; done < workspaces;) {
      const own = Array.from({ length: Math.min(BATCH / messages, workspaces - done) }, (_, n) => FIRST + done + n);
      const copies = own.flatMap((workspaceId) =>
        Array.from({ length: messages }, () => ({ ...message, _id: randomUUID(), workspaceId, dueAt: at })),
      );
      const looks = own.map((_id) => {
        return { _id, at, kind: 'turn', shard: partitions.of(SHARD_TOPIC, String(_id)), epoch: 0 };
      });
      await Promise.all([
        insert(db, 'messages', copies),
        insert(db, 'looks', looks),
        insert(
          db,
          'workspaces',
          own.map((_id) => ({ ...workspace, _id })),
        ),
      ]);
      done += own.length;
    }
  } finally {
    await client.close();
  }
}

const insert = async (db: Db, name: string, documents: readonly object[]): Promise<void> =>
  void (await db.collection(name).insertMany(documents, { ordered: false, writeConcern: { w: 1, journal: false } }));
