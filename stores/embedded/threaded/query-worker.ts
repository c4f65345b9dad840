import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { ReadOnlyFile } from '../audit/read-only-file';
import { topContacts } from '../engagement/top-contacts';
import { findMessages } from '../messages/find-messages';
import { searchMessages } from '../messages/search-messages';
import { flatten } from './flat-error';
import type { Query, QueryOutcome, QueryValue, ThreadOptions } from './protocol';

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
    void outcomeOf(db, query).then((outcome) => port.postMessage(outcome));
  });
}

/** Runs a query; all parts of its result are as of one moment. */
async function outcomeOf(db: ReadOnlyFile, query: Query): Promise<QueryOutcome> {
  try {
    db.hold();
    return { value: await valueOf(db, query) };
  } catch (error) {
    return { error: flatten(error) };
  } finally {
    db.release();
  }
}

function valueOf(db: ReadOnlyFile, [kind, workspaceId, asked]: Query): QueryValue | Promise<QueryValue> {
  if (kind === 'top') return topContacts(db, workspaceId, asked);
  return kind === 'search' ? searchMessages(db, workspaceId, asked) : findMessages(db, workspaceId, asked);
}

answer(parentPort!, workerData as ThreadOptions);
