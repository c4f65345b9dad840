import type { Clock } from '../../lib/clock';
import { SECOND } from '../../lib/clock';
import type { Logger } from '../../lib/logger';
import { withTimeout } from '../../lib/with-timeout';
import type { SignalKind } from '../../domain/signal';
import type { EventLog } from '../../streams/event-log';

export interface RecorderDeps {
  log: Pick<EventLog, 'publish'>;
  clock: Clock;
  /** Id of a signal; no two alike. */
  newId: () => string;
  logger: Pick<Logger, 'warn'>;
  /** How long a recipient waits for the log, ms of real time; tests shorten it. */
  patience?: Record<SignalKind, number>;
}

/** A redirect or an image should not hang behind a stalled log; an unsubscribe is worth a wait. */
const PATIENCE: Record<SignalKind, number> = { click: 3 * SECOND, open: 3 * SECOND, unsubscribe: 10 * SECOND };

/**
 * Records what a recipient did: log-first, durable before it resolves (docs/architecture.md#signals). True when it is
 * durable. False when the log refused or did not answer in time: then it may or may not appear, and the caller may
 * promise nothing.
 */
export type RecordSignal = (kind: SignalKind, messageId: string, link: number | null) => Promise<boolean>;

export function signalRecorder(deps: RecorderDeps): RecordSignal {
  const patience = deps.patience ?? PATIENCE;
  return async function recordSignal(kind, messageId, link) {
    const value = { id: deps.newId(), messageId, kind, at: deps.clock.now(), link };
    try {
      const published = deps.log.publish([{ topic: 'engagement.hits', key: messageId, value }]);
      await withTimeout(published, patience[kind], { what: 'the log' });
      return true;
    } catch (err) {
      deps.logger.warn({ err, kind, messageId }, 'a signal of a recipient could not be recorded');
      return false;
    }
  };
}
