import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { UnavailableError } from '../../../lib/errors';
import { Database } from '../database/database';
import type { ThreadOptions } from './protocol';

/** ms between two looks at the log. */
const LOOK_EVERY = 50;
/** Bytes worth a copy: each one syncs the file, and a page that is written again meanwhile is copied once. */
const WORTH_COPYING = 12_000_000;
/** Copies in a row before the log starts over; each finds what was written during the one before. */
const COPIES = 8;
/** Bytes from which the log is to start over. */
const LONG = 64_000_000;
/**
 * How much of it may be left to copy when it does: the writer waits for that. Copies go on for a rest that is shorter still. Parts of
 * the log, so that commits which are larger than the rest of a log just long enough do not let it grow without end.
 */
const SHORT_REST = 1 / 50;
const SHORTER_REST = 1 / 150;

/**
 * The thread that brings the write-ahead log into the file while the store's thread goes on committing: on the time of a commit
 * the same work held up every caller for some 60 ms. It posts `null` when the log is long and as good as copied: only the
 * writer itself can have it start over without a wait for its own lock.
 */
function keepLogCopied(port: MessagePort, { file }: ThreadOptions): void {
  const db = new Database(file);
  const look = (): void => {
    let { bytes, copied } = db.logLength();
    if (bytes - copied < WORTH_COPYING) return;
    ({ bytes, copied } = db.copyLog());
    if (bytes < LONG) return;
    for (let n = 1; n < COPIES && bytes - copied > bytes * SHORTER_REST; n += 1) ({ bytes, copied } = db.copyLog());
    if (bytes - copied <= bytes * SHORT_REST) port.postMessage(null);
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
