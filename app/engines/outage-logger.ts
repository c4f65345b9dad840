import type { Logger } from '../../lib/logger';
import { UnavailableError } from '../../lib/errors';
import type { Outages } from './outages';

/** The same trouble is told again after that time, ms. */
const AGAIN_AFTER = 30_000;
/** Kinds of trouble that are remembered. */
const MOST = 200;

interface Told {
  at: number;
  /** How often it was not told since. */
  omitted: number;
}

/**
 * A logger for processes whose servers may go away: while the line about an outage stands, what only says "not now" (`err` is an
 * UnavailableError) goes to the level of debugging, whoever says it; else each kind of it is told once in a while, without a trace.
 */
export function outageLogger(
  logger: Logger,
  outages: Pick<Outages, 'explain' | 'suspect'>,
  now = (): number => performance.now(),
): Logger {
  const told = new Map<string, Told>();
  const calm =
    (level: 'warn' | 'error') =>
    (facts: object, text: string): void => {
      const { err, ...others } = facts as { err?: unknown };
      if (!(err instanceof UnavailableError)) return logger[level](facts, text);
      const last = turn(told, kindOf(text, err), now());
      if (!last || outages.explain()) return logger.debug(facts, text);
      const said = { ...others, reason: err.message, ...(last.omitted > 0 && { omitted: last.omitted }) };
      // Only a look at the servers can tell whether this is all there is to say.
      void outages.suspect().then((stands) => {
        if (stands) logger.debug(facts, text);
        else logger[level](said, text);
      });
    };
  return {
    debug: (facts, text) => logger.debug(facts, text),
    info: (facts, text) => logger.info(facts, text),
    warn: calm('warn'),
    error: calm('error'),
  };
}

/** Numbers in the reason, such as ports and times, make no other kind. */
const kindOf = (text: string, { message }: Error): string => `${text} ${message.replace(/\d+/g, '#').slice(0, 200)}`;

/** What was told of this kind before, when it is time to tell it again; else null, and it is counted. */
function turn(told: Map<string, Told>, kind: string, now: number): Told | null {
  const last = told.get(kind);
  if (last && now - last.at < AGAIN_AFTER) {
    last.omitted += 1;
    return null;
  }
  told.delete(kind);
  const [oldest] = told.keys();
  if (told.size >= MOST && oldest !== undefined) told.delete(oldest);
  told.set(kind, { at: now, omitted: 0 });
  return last ?? { at: now, omitted: 0 };
}
