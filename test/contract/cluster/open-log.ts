import { openKafkaLog, type KafkaLog } from '../../../streams/drivers/kafka/kafka-log';
import type { EventLog } from '../../../streams/event-log';
import { describeOn } from '../../support/real-services';
import { openTemporary } from '../embedded/open';
import type { OpenedEngine, OpenEngine } from '../harness';
import { positionsAfter } from '../log-reading';
import { emptyTopics } from './log-topics';
import { TEST_GROUPS } from '../test-groups';
import { listedRecords } from './listed-records';
import { listedStarts } from './listed-starts';

const fail = (error: Error): void => {
  throw error;
};

/** Publishes what the stores commit, as the outbox of an engine does. */
async function forward(from: EventLog, to: EventLog, signal: AbortSignal): Promise<void> {
  const reader = await from.reader('throttle');
  while (!signal.aborted) {
    const records = await reader.poll(100, signal);
    for (const { topic, key, version, value } of records) await to.publish([{ topic, key, version, value } as never]);
    if (records.length > 0) await reader.commit(positionsAfter(records));
  }
  await reader.close();
}

/**
 * The log on Kafka, with the stores of the embedded engine. `reopen` leaves the clients as they are and opens others,
 * so what the first had not committed is lost.
 */
function openLogOn(brokers: readonly string[]): OpenEngine {
  return async (): Promise<OpenedEngine> => {
    const prefix = await emptyTopics(brokers, 'log');
    const stores = await openTemporary();
    const kept = { parked: listedRecords(), starts: listedStarts(), groups: TEST_GROUPS };
    const stopping = new AbortController();
    const logs: KafkaLog[] = [];
    const start = async () => {
      const log = await openKafkaLog({ brokers, prefix, ...kept, clock: stores.clock, onFatal: fail });
      logs.push(log);
      return { stores: stores.engine.stores, log, close: () => log.close() };
    };
    const engine = await start();
    const forwarding = forward(stores.engine.log, engine.log, stopping.signal);
    return {
      engine,
      clock: stores.clock,
      reopen: start,
      audit: () => stores.audit(),
      personalData: () => stores.personalData(),
      destroy: async () => {
        stopping.abort();
        await forwarding;
        await Promise.all(logs.map((log) => log.close()));
        await stores.destroy();
      },
    };
  };
}

/** Runs a suite on Kafka; without it the suite is skipped, with the reason. */
export function onKafka(suite: (open: OpenEngine) => void): void {
  describeOn(['kafka'], 'on Kafka', ({ kafka }) => suite(openLogOn(kafka.split(','))));
}
