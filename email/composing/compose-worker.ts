import type { KeyObject } from 'node:crypto';
import { parentPort, type MessagePort } from 'node:worker_threads';
import { releaseBytes } from '../../lib/release-bytes';
import { composeSync } from './composer';
import { toJob, type ComposeBatch, type ComposeResult, type JobRow } from './protocol';

/** The worker thread that composes and signs: one mail after the other, each returned at once. */
function serve(port: MessagePort): void {
  const keys = new Map<number, KeyObject>();
  port.on('messageerror', (error) => {
    throw error;
  });
  port.on('message', ({ keys: added, forget, jobs }: ComposeBatch) => {
    for (const [number, key] of added) keys.set(number, key);
    for (const row of jobs) {
      const result = compose(row, keys);
      releaseBytes(row[3].map(({ content }) => content));
      port.postMessage(result, result[1] ? [result[1].buffer as ArrayBuffer] : []);
    }
    for (const number of forget) keys.delete(number);
  });
}

function compose(row: JobRow, keys: ReadonlyMap<number, KeyObject>): ComposeResult {
  const [id, keyNumber] = row;
  try {
    const key = keys.get(keyNumber);
    if (!key) throw new Error('unknown key');
    const mail = composeSync(toJob(row, key));
    return 'raw' in mail ? [id, mail.raw, mail.destinations] : [id, null, mail.size];
  } catch (error) {
    return [id, null, error instanceof Error ? error.message : String(error)];
  }
}

serve(parentPort!);
