import type { Clock } from '../../lib/clock';
import { SECOND } from '../../lib/clock';
import type { SignalKind } from '../../domain/signal';
import type { EventLog } from '../../streams/event-log';

/** What it needs of a logger; pino is one. */
export interface SignalLogger {
  warn(facts: object, text: string): void;
}

export interface RecorderDeps {
  log: Pick<EventLog, 'publish'>;
  clock: Clock;
  /** Id of a signal; no two alike. */
  newId: () => string;
  logger: SignalLogger;
  /** How long a recipient waits for the log, ms of real time; tests shorten it. */
  patience?: Record<SignalKind, number>;
}

/** A redirect or an image should not hang behind a stalled log; an unsubscribe is worth a wait. */
const PATIENCE: Record<SignalKind, number> = { click: 3 * SECOND, open: 3 * SECOND, unsubscribe: 10 * SECOND };

/**
 * Records what a recipient did: log-first, durable before it resolves (DESIGN 3.11). True when it is durable. False when
 * the log refused or did not answer in time: then it may or may not appear, and the caller may promise nothing.
 */
export type RecordSignal = (kind: SignalKind, messageId: string, link: number | null) => Promise<boolean>;

export function signalRecorder(deps: RecorderDeps): RecordSignal {
  const patience = deps.patience ?? PATIENCE;
  return async function recordSignal(kind, messageId, link) {
    const value = { id: deps.newId(), messageId, kind, at: deps.clock.now(), link };
    try {
      await within(patience[kind], deps.log.publish([{ topic: 'engagement.hits', key: messageId, value }]));
      return true;
    } catch (err) {
      deps.logger.warn({ err, kind, messageId }, 'a signal of a recipient could not be recorded');
      return false;
    }
  };
}

async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`the log did not answer within ${ms} ms`)), ms);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
