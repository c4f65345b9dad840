import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { UnavailableError } from '../../../lib/errors';
import { Database } from '../database/database';
import type { ThreadOptions } from './protocol';

/** Time between two checks of the log, ms. */
const LOOK_EVERY = 50;
/**
 * Bytes that justify a copy. Each copy syncs the file, and a page that is written several times before it is copied
 * only once.
 */
const WORTH_COPYING = 12_000_000;
/** Maximum copies in a row before the log starts over. Each one copies what was written during the previous one. */
const COPIES = 8;
/** Log size from which it should start over, bytes. */
const LONG = 64_000_000;
/**
 * The uncopied part of the log at which it may start over: the writer waits while this part is copied. Copying goes on
 * until the second, smaller part is reached, if it can. Fractions of the log size, so that the log cannot grow without
 * end when commits are larger than a fixed limit.
 */
const SHORT_REST = 1 / 50;
const SHORTER_REST = 1 / 150;

/**
 * The thread that copies the write-ahead log into the file while the store's thread goes on committing. Done as part of
 * a commit, the same work delayed every caller by about 60 ms. Posts `null` when the log is long and almost fully
 * copied: only the writer can start the log over without waiting for its own lock.
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
      // A full disk is temporary. Until there is space again, the log grows.
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
