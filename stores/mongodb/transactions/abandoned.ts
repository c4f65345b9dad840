import { ReadConcern, type Document } from 'mongodb';
import { SECOND } from '../../../lib/clock';
import { WorkerLoop } from '../../../lib/worker-loop';
import { appName, type Mongo } from '../database/client';
import { withAnswerLimit } from './answer-limit';

/** Real time between two looks, ms. */
const LOOK_EVERY = 2 * SECOND;
/**
 * A transaction in which nothing happened for so long is nobody's any more, ms of real time: its process was killed, or stands still
 * and will have to begin again. Our own follow one call with the next.
 */
const IDLE = 3 * SECOND;

/** A session as the server describes it; `id` is a UUID. */
interface IdleSession extends Document {
  lsid: { id: unknown };
}

/**
 * Ends transactions that a killed process left open. The server would do it only after a minute, and till then whatever they
 * wrote is locked for everybody else: the lease of a shard, the day's counter, a workspace's coins. Only those of this database's
 * own processes, told by the name that their clients give.
 */
export class AbandonedTransactions {
  private readonly loop: WorkerLoop;
  private hasFailed = false;

  constructor(
    private readonly mongo: Mongo,
    /** Told of the first of several looks in a row that failed; the next one tries again. */
    onError: (error: unknown) => void,
  ) {
    this.loop = new WorkerLoop({
      turn: async () => {
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
        // Needs no right but that to one's own.
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
