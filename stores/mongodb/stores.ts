import type { Clock } from '../../lib/clock';
import type { Stores } from '../ports';
import type { Mongo } from './database/client';
import { AbandonedTransactions } from './transactions/abandoned';
import { IdBlock } from './database/ids';
import { messageParts } from './message-parts';
import type { OutboxOptions, Publish } from './log/outbox';
import { simpleStores } from './catalog-stores';
import type { Sweeper } from './log/sweeper';

export interface MongoStoresOptions extends OutboxOptions {
  clock: Clock;
  /** EventLog.publish: resolves once the records are durable. */
  publish: Publish;
  /** Called when a sweep fails; the next one retries. */
  onSweepError?: (error: unknown) => void;
  /** Real time between two sweeps, ms. */
  sweepEvery?: number;
}

/** Every store on MongoDB. */
export interface MongoStores {
  stores: Stores;
  /**
   * Publishes what was committed but did not reach the log, finishes deletions, and ends transactions of killed
   * processes. One process that runs it serves all.
   */
  sweeper: Pick<Sweeper, 'start' | 'stop'>;
  /**
   * Stops the sweeper, refuses new writes, finishes those in progress and publishes their records. The client stays
   * open.
   */
  close(): Promise<void>;
}

/** Builds the stores on a prepared database (see prepareCollections). */
export function mongoStores(mongo: Mongo, { clock, ...options }: MongoStoresOptions): MongoStores {
  const contactIds = new IdBlock(mongo, 'contacts');
  const parts = messageParts(mongo, { ...options, contactIds, now: () => clock.now() });
  const simple = simpleStores(mongo, { contactIds, now: () => clock.now(), outbox: parts.outbox });
  const { messages, queue, deadlines, signals, conversions, campaignRuns, journeys, journeyRuns, sweeper } = parts;
  const abandoned = new AbandonedTransactions(mongo, (error) => options.onSweepError?.(error));
  return {
    stores: { ...simple.stores, messages, queue, deadlines, signals, conversions, campaignRuns, journeys, journeyRuns },
    sweeper: {
      start: () => {
        sweeper.start();
        abandoned.start();
      },
      stop: async () => {
        await Promise.all([sweeper.stop(), abandoned.stop()]);
      },
    },
    close: async () => {
      await abandoned.stop();
      await simple.drain();
      await parts.close();
    },
  };
}
