import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { ReadOnlyFile } from '../audit/read-only-file';
import { topContacts } from '../engagement/top-contacts';
import { flatten } from './flat-error';
import type { Question, QuestionOutcome, ThreadOptions } from './protocol';

/**
 * The thread for questions that take long, on a connection that only reads: neither requests nor commits wait for them. It is
 * asked one at a time, and ends when it is sent `null`.
 */
function answer(port: MessagePort, { file }: ThreadOptions): void {
  const db = new ReadOnlyFile(file);
  port.on('message', (question: Question | null) => {
    if (question === null) {
      db.close();
      port.close();
      return;
    }
    port.postMessage(outcomeOf(db, question));
  });
}

/** Every part of an answer as of one moment. */
function outcomeOf(db: ReadOnlyFile, [workspaceId, query]: Question): QuestionOutcome {
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
