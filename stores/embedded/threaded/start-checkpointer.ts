import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { UnavailableError } from '../../../lib/errors';
import type { Database } from '../database/database';
import type { ThreadOptions } from './protocol';

/** ms that the start of a new log may wait for readers of the old one; they read for a turn of their event loop. */
const READERS_LIMIT = 15;

export interface Checkpointer {
  /** Ends it; the file is closed there before this resolves. */
  stop(): Promise<void>;
}

/**
 * Starts the thread that copies the log of `file` into it, for the writer `db`, and starts the log over when that thread says
 * so. Nothing is lost without it: should it end, the commits of `db` copy the log again.
 */
export function startCheckpointer(program: string, file: string, db: Database): Checkpointer {
  const options: ThreadOptions = { file };
  const worker = new Worker(program, { workerData: options });
  let open = true;
  const end = (why: string): void => {
    if (!open) return;
    open = false;
    db.leaveCheckpoints(false);
    process.emitWarning(`The thread for checkpoints has ended (${why}); commits make them now.`);
  };
  db.leaveCheckpoints(true);
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

/** Not now is no harm: the checkpointer asks again. */
function restart(db: Database): void {
  try {
    db.restartLog(READERS_LIMIT);
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
  }
}
