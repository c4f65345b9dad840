import { maskAddresses } from '../../domain/addresses/mask-addresses';
import type { Logger } from '../../lib/logger';

/**
 * From now on, what libraries and threads print, and what Node warns of, are records at warn: whoever reads the log as
 * JSON can parse each of its lines. The log itself writes to its file descriptor, past these streams. A stream that is
 * a terminal stays as it is. `logger` is asked for each record, since the settings of the log are read later.
 */
export function recordOutput(logger: () => Pick<Logger, 'warn'>): void {
  for (const stream of ['stdout', 'stderr'] as const) {
    if (!process[stream].isTTY) process[stream].write = recorder(stream, logger);
  }
  // Node's own listener writes plain lines.
  process.removeAllListeners('warning').on('warning', (err) => logger().warn({ err }, 'Node.js warning'));
}

type Write = NodeJS.WriteStream['write'];

function recorder(stream: string, logger: () => Pick<Logger, 'warn'>): Write {
  return (chunk: Uint8Array | string, ...rest: unknown[]) => {
    const text = Buffer.from(chunk as Uint8Array)
      .toString()
      .trimEnd();
    if (text !== '') logger().warn({ stream }, maskAddresses(text));
    const done = rest.at(-1);
    if (typeof done === 'function') process.nextTick(done);
    return true;
  };
}
