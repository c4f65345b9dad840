import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { ReadOnlyFile } from '../audit/read-only-file';
import { topContacts } from '../engagement/top-contacts';
import { flatten } from './flat-error';
import type { Query, QueryOutcome, ThreadOptions } from './protocol';

/**
 * The worker thread for slow queries, on a read-only connection: requests and commits do not wait for them. Answers one
 * query at a time and ends when it receives `null`.
 */
function answer(port: MessagePort, { file }: ThreadOptions): void {
  const db = new ReadOnlyFile(file);
  port.on('message', (query: Query | null) => {
    if (query === null) {
      db.close();
      port.close();
      return;
    }
    port.postMessage(outcomeOf(db, query));
  });
}

/** Runs a query; all parts of its result are as of one moment. */
function outcomeOf(db: ReadOnlyFile, [workspaceId, query]: Query): QueryOutcome {
  try {
    db.hold();
    return { value: topContacts(db, workspaceId, query) };
  } catch (error) {
    return { error: flatten(error) };
  } finally {
    db.release();
  }
}

answer(parentPort!, workerData as ThreadOptions);
