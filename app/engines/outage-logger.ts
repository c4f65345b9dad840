import type { Logger } from '../../lib/logger';
import { UnavailableError } from '../../lib/errors';
import type { Outages } from './outages';

/** The same problem is logged again after this time, ms. */
const AGAIN_AFTER = 30_000;
/** Kinds of problem remembered, at most. */
const MAX = 200;

interface Logged {
  at: number;
  /** How often it was left out since. */
  omitted: number;
}

/**
 * A logger for processes whose servers may go away. During an outage that has been logged, lines that only say "not
 * now" (`err` is an UnavailableError) go to the debug level, wherever they come from. Otherwise each kind of problem is
 * logged once in a while, without a stack trace.
 */
export function outageLogger(
  logger: Logger,
  outages: Pick<Outages, 'explain' | 'suspect'>,
  now = (): number => performance.now(),
): Logger {
  const logged = new Map<string, Logged>();
  const throttled =
    (level: 'warn' | 'error') =>
    (facts: object, text: string): void => {
      const { err, ...others } = facts as { err?: unknown };
      if (!(err instanceof UnavailableError)) return logger[level](facts, text);
      const last = entryToLog(logged, kindOf(text, err), now());
      if (!last || outages.explain()) return logger.debug(facts, text);
      const said = { ...others, reason: err.message, ...(last.omitted > 0 && { omitted: last.omitted }) };
      // Only a check of the servers shows whether the outage explains this problem.
      void outages.suspect().then((isOut) => {
        if (isOut) logger.debug(facts, text);
        else logger[level](said, text);
      });
    };
  return {
    debug: (facts, text) => logger.debug(facts, text),
    info: (facts, text) => logger.info(facts, text),
    warn: throttled('warn'),
    error: throttled('error'),
  };
}

/** Numbers in the reason, such as ports and times, do not make a new kind. */
const kindOf = (text: string, { message }: Error): string => `${text} ${message.replace(/\d+/g, '#').slice(0, 200)}`;

/** Returns the last entry of this kind when it is time to log it again; otherwise counts it and returns null. */
function entryToLog(logged: Map<string, Logged>, kind: string, now: number): Logged | null {
  const last = logged.get(kind);
  if (last && now - last.at < AGAIN_AFTER) {
    last.omitted += 1;
    return null;
  }
  logged.delete(kind);
  const [oldest] = logged.keys();
  if (logged.size >= MAX && oldest !== undefined) logged.delete(oldest);
  logged.set(kind, { at: now, omitted: 0 });
  return last ?? { at: now, omitted: 0 };
}
