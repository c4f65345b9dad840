import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { UnavailableError } from '../../ports/errors';
import { Database } from '../database';
import type { ThreadOptions } from './protocol';

/** ms between two looks at the log. */
const LOOK_EVERY = 50;
/** Frames (4 kB) worth a copy: each one syncs the file, and a page that is written again meanwhile is copied once. */
const WORTH_COPYING = 3_000;
/** Copies in a row before the log starts over; each finds what was written during the one before. */
const COPIES = 8;
/** Frames from which the log is to start over: 64 MB. */
const LONG = 16_000;
/** Frames that may be left to copy when it does: the writer waits for them. Copies go on for a rest that is shorter still. */
const SHORT_REST = 300;
const SHORTER_REST = 100;

/**
 * The thread that brings the write-ahead log into the file while the store's thread goes on committing: on the time of a commit
 * the same work held up every caller for some 60 ms. It posts `null` when the log is long and as good as copied: only the
 * writer itself can have it start over without a wait for its own lock.
 */
function keepLogCopied(port: MessagePort, { file }: ThreadOptions): void {
  const db = new Database(file);
  const look = (): void => {
    let { frames, copied } = db.logLength();
    if (frames - copied < WORTH_COPYING) return;
    ({ frames, copied } = db.copyLog());
    if (frames < LONG) return;
    for (let n = 1; n < COPIES && frames - copied > SHORTER_REST; n += 1) ({ frames, copied } = db.copyLog());
    if (frames - copied <= SHORT_REST) port.postMessage(null);
  };
  const timer = setInterval(() => {
    try {
      look();
    } catch (error) {
      // A full disk passes; until then the log grows as far as there is room for it.
      if (!(error instanceof UnavailableError)) throw error;
    }
  }, LOOK_EVERY);
  port.once('message', () => {
    clearInterval(timer);
    db.close({ checkpoint: false });
    port.close();
  });
}

keepLogCopied(parentPort!, workerData as ThreadOptions);
