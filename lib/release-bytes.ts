import { MessageChannel } from 'node:worker_threads';

/** A port whose other end is closed: what is sent there is gone. */
const nowhere = (() => {
  const { port1, port2 } = new MessageChannel();
  port2.close();
  return port1;
})();

/**
 * Returns the memory of large buffers to the system now; the collector might leave many of them for long, since they
 * weigh little in its heap. They are empty afterwards, and nothing may still be reading or writing them. Buffers that
 * share their memory with others are left alone.
 */
export function releaseBytes(buffers: readonly Uint8Array[]): void {
  const alone = buffers.filter(({ buffer, byteLength }) => byteLength > 0 && byteLength === buffer.byteLength);
  if (alone.length > 0) {
    nowhere.postMessage(
      null,
      alone.map(({ buffer }) => buffer as ArrayBuffer),
    );
  }
}
