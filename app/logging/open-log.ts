import { createRequire } from 'node:module';
import { Writable } from 'node:stream';
import pino, { type Logger } from 'pino';
import type Pretty from 'pino-pretty';
import type { Config } from '../../operations/config/config';
import { logError } from '../core/log-error';

/** Where log lines go: a file descriptor, and whether it is a terminal. */
export interface LogTarget {
  fd: number;
  isTTY: boolean;
}

/** True if people read the log: a record is a readable line then, and JSON otherwise. */
export const isReadable = (format: Config['logFormat'], { isTTY }: Pick<LogTarget, 'isTTY'>): boolean =>
  format === 'auto' ? isTTY : format === 'text';

/**
 * The log of a process: readable lines on a terminal, JSON anywhere else, or what `KURIR_LOG_FORMAT` says. Times are
 * ISO 8601 in UTC, in readable lines the local time of day. No value can control the terminal that shows a line.
 */
export function openLog({ logLevel, logFormat }: Pick<Config, 'logLevel' | 'logFormat'>, to: LogTarget): Logger {
  const readable = isReadable(logFormat, to);
  const options = {
    level: logLevel,
    ...(readable && { base: null }),
    serializers: { err: logError },
    timestamp: pino.stdTimeFunctions.isoTime,
    ...(!readable && { hooks: { streamWrite: escapeControls } }),
  };
  if (!readable) return pino(options, pino.destination(to.fd));
  // Most processes write JSON and do without it.
  const pretty = createRequire(__filename)('pino-pretty') as typeof Pretty;
  const stream = pretty({
    destination: escaping(to.fd),
    colorize: to.isTTY && pretty.isColorSupported,
    translateTime: 'SYS:HH:MM:ss.l',
    singleLine: true,
  });
  return pino(options, stream);
}

/** DEL and the control characters that JSON leaves as they are, U+0080 to U+009F; the others are escaped already. */
const CONTROLS = /[\u007f-\u009f]/g;

const escapeControls = (line: string): string =>
  line.replace(CONTROLS, (control) => `\\u00${control.charCodeAt(0).toString(16)}`);

function escaping(fd: number): Writable {
  const destination = pino.destination({ fd, sync: true });
  return new Writable({
    decodeStrings: false,
    write: (line: string, _encoding, done) => {
      destination.write(escapeControls(String(line)));
      done();
    },
  });
}
