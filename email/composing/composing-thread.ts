import type { KeyObject } from 'node:crypto';
import { parentPort, type MessagePort } from 'node:worker_threads';
import { makeAtOnce } from './composer';
import { toOrder, type Made, type OrderRow, type Orders } from './protocol';

/** So many mails go at once: one waits for the signatures of three others at the most. */
const ENOUGH = 4;

/** The thread that composes and signs: one mail after the other, without a wake-up for each. */
function serve(port: MessagePort): void {
  const keys = new Map<number, KeyObject>();
  const post = (made: Made): void =>
    port.postMessage(
      made,
      made.flatMap(([, raw]) => (raw ? [raw.buffer as ArrayBuffer] : [])),
    );
  port.on('messageerror', (error) => {
    throw error;
  });
  port.on('message', ({ keys: added, forget, orders }: Orders) => {
    for (const [number, key] of added) keys.set(number, key);
    let made: Made = [];
    for (const row of orders) {
      made.push(answer(row, keys.get(row[1])));
      if (made.length < ENOUGH) continue;
      post(made);
      made = [];
    }
    if (made.length > 0) post(made);
    for (const number of forget) keys.delete(number);
  });
}

function answer(row: OrderRow, key: KeyObject | undefined): Made[number] {
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
