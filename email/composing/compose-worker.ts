import type { KeyObject } from 'node:crypto';
import { parentPort, type MessagePort } from 'node:worker_threads';
import { releaseBytes } from '../../lib/release-bytes';
import { composeSync } from './composer';
import { toJob, type ComposeBatch, type ComposeResult, type JobRow, type SharedContent } from './protocol';

/** Mails that are returned together, and their bytes from which they are returned at once. */
const MAX_RESULTS = 8;
const MANY_BYTES = 512 * 1024;

/**
 * The worker thread that composes and signs, one mail after the other. What a batch made is returned in few messages:
 * each wakes the caller, which costs as much as a sixth of a signature.
 */
function serve(port: MessagePort): void {
  const keys = new Map<number, KeyObject>();
  const contents = new Map<number, SharedContent>();
  port.on('messageerror', (error) => {
    throw error;
  });
  port.on('message', ({ forget, jobs, ...added }: ComposeBatch) => {
    for (const [number, key] of added.keys) keys.set(number, key);
    for (const [number, content] of added.contents) contents.set(number, content);
    let results: ComposeResult[] = [];
    let bytes = 0;
    for (const [n, row] of jobs.entries()) {
      const result = compose(row, keys, contents);
      releaseBytes(row[3].map(({ content }) => content));
      results.push(result);
      bytes += result[1]?.length ?? 0;
      if (n < jobs.length - 1 && results.length < MAX_RESULTS && bytes < MANY_BYTES) continue;
      port.postMessage(
        results,
        results.flatMap(([, raw]) => (raw ? [raw.buffer as ArrayBuffer] : [])),
      );
      results = [];
      bytes = 0;
    }
    for (const number of forget) {
      keys.delete(number);
      contents.delete(number);
    }
  });
}

function compose(
  row: JobRow,
  keys: ReadonlyMap<number, KeyObject>,
  contents: ReadonlyMap<number, SharedContent>,
): ComposeResult {
  const [id, keyNumber, , , contentNumber] = row;
  try {
    const key = keys.get(keyNumber);
    if (!key) throw new Error('unknown key');
    const content = contentNumber === null ? null : contents.get(contentNumber);
    if (content === undefined) throw new Error('unknown content');
    const mail = composeSync(toJob(row, key, content));
    return 'raw' in mail ? [id, mail.raw, mail.destinations] : [id, null, mail.size];
  } catch (error) {
    return [id, null, error instanceof Error ? error.message : String(error)];
  }
}

serve(parentPort!);
