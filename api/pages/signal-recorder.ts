import type { Clock } from '../../lib/clock';
import { SECOND } from '../../lib/clock';
import type { Logger } from '../../lib/logger';
import { withTimeout } from '../../lib/with-timeout';
import type { SignalKind } from '../../domain/signal';
import type { EventLog } from '../../streams/event-log';

export interface RecorderDeps {
  log: Pick<EventLog, 'publish'>;
  clock: Clock;
  /** Creates the unique id of a signal. */
  newId: () => string;
  logger: Pick<Logger, 'warn'>;
  /** How long a recipient waits for the log, ms of real time; tests shorten it. */
  timeouts?: Record<SignalKind, number>;
}

/** A redirect or an image should not wait for a stalled log; an unsubscribe is worth a wait. */
const TIMEOUTS: Record<SignalKind, number> = { click: 3 * SECOND, open: 3 * SECOND, unsubscribe: 10 * SECOND };

/**
 * Records what a recipient did, in the log first (docs/architecture.md#signals). Resolves to true once the record is
 * durable. False when the log refused or did not answer in time: the record may or may not appear later, so the caller
 * must promise nothing.
 */
export type RecordSignal = (kind: SignalKind, messageId: string, link: number | null) => Promise<boolean>;

export function signalRecorder(deps: RecorderDeps): RecordSignal {
  const timeouts = deps.timeouts ?? TIMEOUTS;
  return async function recordSignal(kind, messageId, link) {
    const value = { id: deps.newId(), messageId, kind, at: deps.clock.now(), link };
    try {
      const published = deps.log.publish([{ topic: 'engagement.hits', key: messageId, value }]);
      await withTimeout(published, timeouts[kind], { what: 'the log' });
      return true;
    } catch (err) {
      deps.logger.warn({ err, kind, messageId }, 'recording a signal failed');
      return false;
    }
  };
}
