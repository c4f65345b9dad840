import pino, { type Logger } from 'pino';
import pretty from 'pino-pretty';
import type { Config } from '../config/config';
import { logError } from '../log-error';

/** Where log lines go: a file descriptor, and whether it is a terminal. */
export interface LogTarget {
  fd: number;
  isTTY: boolean;
}

/**
 * The log of a process: readable lines on a terminal, JSON anywhere else, or what `KURIR_LOG_FORMAT` says. Times are ISO
 * 8601 in UTC, in readable lines the local time of day.
 */
export function openLog({ logLevel, logFormat }: Pick<Config, 'logLevel' | 'logFormat'>, to: LogTarget): Logger {
  const readable = logFormat === 'auto' ? to.isTTY : logFormat === 'text';
  const options = {
    level: logLevel,
    ...(readable && { base: null }),
    serializers: { err: logError },
    timestamp: pino.stdTimeFunctions.isoTime,
  };
  if (!readable) return pino(options, pino.destination(to.fd));
  const stream = pretty({
    destination: to.fd,
    sync: true,
    colorize: to.isTTY && pretty.isColorSupported,
    translateTime: 'SYS:HH:MM:ss.l',
    singleLine: true,
  });
  return pino(options, stream);
}
