import type { Stores } from '../ports';
import { campaignRuns } from './campaigns/campaign-runs';
import { groupedChanges } from './messages/change-message';
import type { Mongo } from './database/client';
import { deadlines } from './queue/deadlines';
import { conversionStore } from './conversions/conversion-store';
import type { IdBlock } from './database/ids';
import { groupedEnrolments, journeyRuns } from './journeys/journey-runs';
import { journeyStore } from './journeys/journey-store';
import { groupedAccepts, messageStore } from './messages/message-store';
import { Outbox, type OutboxOptions, type Publish } from './log/outbox';
import { claimsInTurn, sendQueue } from './queue/send-queue';
import { groupedSignals, signalStore } from './engagement/signal-store';
import { Sweeper } from './log/sweeper';

export interface MessagePartsOptions extends OutboxOptions {
  now: () => number;
  /** EventLog.publish: resolves once the records are durable. */
  publish: Publish;
  /** Ids of new contacts, shared with the contact store. */
  contactIds: IdBlock;
  /** Called when a sweep fails; the next one retries. */
  onSweepError?: (error: unknown) => void;
  /** Real time between two sweeps, ms. */
  sweepEvery?: number;
}

/** The stores whose writes emit records, and the outbox that publishes these records to the event log. */
export interface MessageParts extends Pick<
  Stores,
  'messages' | 'queue' | 'deadlines' | 'signals' | 'conversions' | 'campaignRuns' | 'journeys' | 'journeyRuns'
> {
  sweeper: Pick<Sweeper, 'start' | 'stop'>;
  outbox: Outbox;
  /** Finishes the writes in progress, then publishes what they emitted, for some seconds at most. */
  close(): Promise<void>;
}

/** Builds the parts on one client; they share one outbox. */
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
    campaignRuns: campaignRuns(parts),
    journeys: journeyStore(mongo),
    journeyRuns: journeyRuns(mongo, enrolments),
    sweeper,
    outbox,
    close: async () => {
      await Promise.all([accepts.close(), claims.close(), changes.close(), hits.close(), enrolments.close()]);
      await sweeper.stop();
      await outbox.close();
    },
  };
}
