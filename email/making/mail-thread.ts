import { getPriority, setPriority } from 'node:os';
import { parentPort, type MessagePort } from 'node:worker_threads';
import { makeMail, type MailOrder } from './make-mail';
import type { Orders, Products } from './protocol';

/** Mails made before their results leave: a message of its own for each would wake the caller for each. */
const AT_ONCE = 4;
/** Whoever waits for an answer, and the store, go before mails that can wait a little. */
const NICE = 5;
const LOWEST = 19;

/** The thread that builds and signs mails, one after the other. */
function serve(port: MessagePort): void {
  const waiting: Orders[number][] = [];
  let at = 0;
  const work = (): void => {
    const products: Products = { made: [], failed: [] };
    for (const end = Math.min(at + AT_ONCE, waiting.length); at < end; at += 1) make(waiting[at]!, products);
    port.postMessage(
      products,
      products.made.map(([, raw]) => raw.buffer as ArrayBuffer),
    );
    if (at < waiting.length) return void setImmediate(work);
    waiting.length = at = 0;
  };
  port.on('message', (orders: Orders) => {
    const idle = waiting.length === 0;
    waiting.push(...orders);
    if (idle) work();
  });
}

function make([id, order]: Orders[number], { made, failed }: Products): void {
  try {
    const { raw, destinations } = makeMail(withBuffers(order));
    // Memory of its own, which can be handed over; a Buffer's may be shared.
    made.push([id, new Uint8Array(raw), destinations]);
  } catch (error) {
    failed.push([id, error instanceof Error ? error.message : String(error)]);
  }
}

/** Between threads a Buffer becomes a plain Uint8Array. */
function withBuffers(order: MailOrder): MailOrder {
  const attachments = order.attachments.map((attachment) => {
    const { buffer, byteOffset, byteLength } = attachment.content;
    return { ...attachment, content: Buffer.from(buffer, byteOffset, byteLength) };
  });
  return { ...order, attachments };
}

// Under Linux a priority is one of the calling thread; elsewhere it would be that of the process.
if (process.platform === 'linux') setPriority(0, Math.min(LOWEST, getPriority(0) + NICE));
serve(parentPort!);
