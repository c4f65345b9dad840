import type { KeyObject } from 'node:crypto';
import { parentPort, type MessagePort } from 'node:worker_threads';
import { makeAtOnce } from './composer';
import { toOrder, type Made, type OrderRow, type Orders } from './protocol';

/** The thread that composes and signs: one mail after the other, each of which goes back at once. */
function serve(port: MessagePort): void {
  const keys = new Map<number, KeyObject>();
  port.on('messageerror', (error) => {
    throw error;
  });
  port.on('message', ({ keys: added, forget, orders }: Orders) => {
    for (const [number, key] of added) keys.set(number, key);
    for (const row of orders) {
      const made = answer(row, keys.get(row[1]));
      port.postMessage(made, made[1] ? [made[1].buffer as ArrayBuffer] : []);
    }
    for (const number of forget) keys.delete(number);
  });
}

function answer(row: OrderRow, key: KeyObject | undefined): Made {
  const id = row[0];
  try {
    if (!key) throw new Error('the key is not known here');
    const { raw, destinations } = makeAtOnce(toOrder(row, key));
    return [id, raw, destinations];
  } catch (error) {
    return [id, null, error instanceof Error ? error.message : String(error)];
  }
}

serve(parentPort!);
