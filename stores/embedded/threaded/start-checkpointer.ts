import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { UnavailableError } from '../../../lib/errors';
import type { Database } from '../database/database';
import type { ThreadOptions } from './protocol';

/**
 * How long starting the log over may wait for readers of the old one, ms. Readers read for one turn of their event
 * loop.
 */
const READERS_LIMIT = 15;
/** Time between two checks of the log while the thread is not needed, ms. */
const LOOK_EVERY = 1_000;
/** Growth of the log between two checks with which the thread is needed, bytes: some 15 commits a second. */
const WORTH_STARTING = 500_000;

export interface Checkpointer {
  /** Stops the thread. Resolves after it has closed the file. */
  stop(): Promise<void>;
}

/**
 * Starts the thread that copies the log of `file` into it for the writer `db`, once the log grows fast: a service that
 * is idle does without the memory of a thread. Starts the log over when that thread asks for it. Nothing depends on it:
 * until it runs, and if it ends, the commits of `db` make the checkpoints.
 */
export function startCheckpointer(program: string, file: string, db: Database): Checkpointer {
  let running: Checkpointer | null = null;
  let before = Infinity;
  const look = setInterval(() => {
    const bytes = logBytes(db);
    const growth = bytes - before;
    before = bytes;
    if (growth < WORTH_STARTING) return;
    clearInterval(look);
    running = run(program, file, db);
  }, LOOK_EVERY);
  return {
    stop: async () => {
      clearInterval(look);
      await running?.stop();
    },
  };
}

/** 0 while it cannot be read: a full disk is temporary. */
function logBytes(db: Database): number {
  try {
    return db.logLength().bytes;
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    return 0;
  }
}

function run(program: string, file: string, db: Database): Checkpointer {
  const options: ThreadOptions = { file };
  const worker = new Worker(program, { workerData: options });
  let open = true;
  const end = (why: string): void => {
    if (!open) return;
    open = false;
    db.delegateCheckpoints(false);
    process.emitWarning(`The checkpointer thread has ended (${why}); commits make the checkpoints now.`);
  };
  db.delegateCheckpoints(true);
  worker.on('message', () => {
    if (open) restart(db);
  });
  worker.on('error', (error) => end(error.message));
  worker.on('exit', (code) => end(`code ${code}`));
  return {
    stop: async () => {
      if (!open) return;
      open = false;
      const exited = once(worker, 'exit');
      worker.postMessage(null);
      await exited;
    },
  };
}

/** A failure does no harm: the checkpointer asks again. */
function restart(db: Database): void {
  try {
    db.restartLog(READERS_LIMIT);
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
  }
}
