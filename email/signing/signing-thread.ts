import { sign, type KeyObject } from 'node:crypto';
import { parentPort, type MessagePort } from 'node:worker_threads';
import type { Jobs, Signed } from './protocol';

/** So many answers go at once: a mail waits for the signatures of three others at the most. */
const ENOUGH = 4;

/** The thread that signs: one after the other, without a wake-up for each. */
function serve(port: MessagePort): void {
  const keys = new Map<number, KeyObject>();
  port.on('messageerror', (error) => {
    throw error;
  });
  port.on('message', ({ keys: added, forget, jobs }: Jobs) => {
    for (const [number, key] of added) keys.set(number, key);
    let signed: Signed = [];
    for (const [id, key, data] of jobs) {
      signed.push(answer(id, keys.get(key), data));
      if (signed.length < ENOUGH) continue;
      port.postMessage(signed);
      signed = [];
    }
    if (signed.length > 0) port.postMessage(signed);
    for (const number of forget) keys.delete(number);
  });
}

function answer(id: number, key: KeyObject | undefined, data: string): Signed[number] {
  try {
    if (!key) throw new Error('the key is not known here');
    return [id, sign('sha256', Buffer.from(data, 'utf8'), key).toString('base64'), null];
  } catch (error) {
    return [id, null, error instanceof Error ? error.message : String(error)];
  }
}

serve(parentPort!);
