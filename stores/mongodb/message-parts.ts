import type { Stores } from '../ports';
import { groupedChanges } from './messages/change-message';
import type { Mongo } from './database/client';
import { deadlines } from './queue/deadlines';
import { conversionStore } from './marketing/conversion-store';
import type { IdBlock } from './database/ids';
import { groupedEnrolments, journeyStore } from './marketing/journey-store';
import { groupedAccepts, messageStore } from './messages/message-store';
import { Outbox, type OutboxOptions, type Publish } from './log/outbox';
import { claimsInTurn, sendQueue } from './queue/send-queue';
import { groupedSignals, signalStore } from './engagement/signal-store';
import { Sweeper } from './log/sweeper';

export interface MessagePartsOptions extends OutboxOptions {
  now: () => number;
  /** EventLog.publish: resolves once the records are durable. */
  publish: Publish;
  /** Ids of new contacts, as the store of contacts takes them. */
  contactIds: IdBlock;
  /** Told of sweeps that failed; the next one tries again. */
  onSweepError?: (error: unknown) => void;
  /** Real time between two sweeps, ms. */
  sweepEvery?: number;
}

/** The stores whose writes are heard in the event log, and what carries their records there. */
export interface MessageParts extends Pick<
  Stores,
  'messages' | 'queue' | 'deadlines' | 'signals' | 'conversions' | 'journeys'
> {
  sweeper: Pick<Sweeper, 'start' | 'stop'>;
  /** Finishes the writes under way, then publishes what they emitted, for some seconds at most. */
  close(): Promise<void>;
}

/** Builds them on one client; they share one outbox. */
export function messageParts(mongo: Mongo, options: MessagePartsOptions): MessageParts {
  const { now, publish, contactIds, onSweepError, sweepEvery } = options;
  const outbox = new Outbox(mongo, publish, options);
  const changes = groupedChanges(mongo);
  const parts = { mongo, outbox, now, contactIds, changes };
  const accepts = groupedAccepts(parts);
  const claims = claimsInTurn(parts);
  const hits = groupedSignals(mongo, now);
  const enrolments = groupedEnrolments(parts);
  const sweeper = new Sweeper({
    mongo,
    outbox,
    now,
    ...(onSweepError ? { onError: onSweepError } : {}),
    ...(sweepEvery === undefined ? {} : { every: sweepEvery }),
  });
  return {
    messages: messageStore(parts, accepts),
    queue: sendQueue(mongo, claims),
    deadlines: deadlines(mongo),
    signals: signalStore(mongo, outbox, hits),
    conversions: conversionStore(mongo, outbox, now),
    journeys: journeyStore(mongo, enrolments),
    sweeper,
    close: async () => {
      await Promise.all([accepts.close(), claims.close(), changes.close(), hits.close(), enrolments.close()]);
      await sweeper.stop();
      await outbox.close();
    },
  };
}
