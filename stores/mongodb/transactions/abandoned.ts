import { ReadConcern, type Document } from 'mongodb';
import { SECOND } from '../../../lib/clock';
import { WorkerLoop } from '../../../lib/worker-loop';
import { appName, type Mongo } from '../database/client';
import { withAnswerLimit } from './answer-limit';

/** Real time between two checks, ms. */
const LOOK_EVERY = 2 * SECOND;
/**
 * A transaction idle for this long is abandoned, ms of real time: its process was killed, or is frozen and will have to
 * start over. Our own transactions send one call right after the other.
 */
const IDLE = 3 * SECOND;

/** A session as the server describes it; `id` is a UUID. */
interface IdleSession extends Document {
  lsid: { id: unknown };
}

/**
 * Ends transactions that a killed process left open. The server would end them only after a minute, and until then
 * their writes lock out everyone else: the lease of a shard, the day's counter, a workspace's coins. Only ends those of
 * this database's own processes, identified by the name that their clients send.
 */
export class AbandonedTransactions {
  private readonly loop: WorkerLoop;
  private hasFailed = false;

  constructor(
    private readonly mongo: Mongo,
    /** Called for the first of several checks in a row that fail; the next one retries. */
    onError: (error: unknown) => void,
  ) {
    this.loop = new WorkerLoop({
      iterate: async () => {
        await withAnswerLimit(this.look());
        this.hasFailed = false;
        return LOOK_EVERY;
      },
      onError: (error) => {
        if (!this.hasFailed) onError(error);
        this.hasFailed = true;
      },
      backoff: { first: LOOK_EVERY, longest: LOOK_EVERY },
    });
  }

  start(): void {
    this.loop.start();
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }

  private async look(): Promise<void> {
    const { client, db } = this.mongo;
    const admin = client.db('admin', { readConcern: new ReadConcern('local') });
    const sessions = await admin
      .aggregate<IdleSession>([
        // Requires no right except to one's own operations.
        { $currentOp: { allUsers: false, idleSessions: true } },
        {
          $match: {
            type: 'idleSession',
            appName: appName(db.databaseName),
            'transaction.timeInactiveMicros': { $gt: IDLE * 1_000 },
          },
        },
        { $project: { 'lsid.id': 1 } },
      ])
      .toArray();
    if (sessions.length > 0) await admin.command({ killSessions: sessions.map(({ lsid }) => ({ id: lsid.id })) });
  }
}
