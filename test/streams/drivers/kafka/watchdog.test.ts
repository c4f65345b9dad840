import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { FeedOwner, KafkaClient } from '../../../../streams/drivers/kafka/client';
import { kafkaLog, type KafkaLog, type KafkaLogOptions } from '../../../../streams/drivers/kafka/kafka-log';
import { KafkajsConnection } from '../../../../streams/drivers/kafka/kafkajs/connection';
import { rdkafkaClient } from '../../../../streams/drivers/kafka/rdkafka/rdkafka-client';
import { GROUPS } from '../../../../streams/topics';
import { emptyTopics } from '../../../contract/cluster/log-topics';
import { listedRecords } from '../../../contract/cluster/listed-records';
import { listedStarts } from '../../../contract/cluster/listed-starts';
import { coinRecords } from '../../../contract/event-log/support';
import { eventually } from '../../../contract/helpers';
import { pollCount } from '../../../contract/log-reading';
import { frozenClock } from '../../../support/clock';
import { describeOn } from '../../../support/real-services';
import { newPartitions } from '../../../../streams/partitions';
import { PATIENCE } from '../../../support/limits';

/** Of the memberships, the first `count` hand out nothing: they join, live on and stall. */
function stalling(inner: KafkaClient, count: number): KafkaClient {
  let opened = 0;
  return {
    ...inner,
    feed: (membership, owner) => {
      opened += 1;
      const deaf: FeedOwner = { ...owner, received: () => {} };
      return inner.feed(membership, opened <= count ? deaf : owner);
    },
  };
}

describeOn(['kafka'], 'the watchdog', ({ kafka }) => {
  const brokers = kafka.split(',');
  let prefix: string;
  let log: KafkaLog | null;
  let fatal: string[];
  let problems: string[];
  /** The watchdog's time, ms: stands still unless a case lets it pass. */
  let time: number;

  beforeEach(async () => {
    time = 0;
    prefix = await emptyTopics(brokers, 'watchdog');
    log = null;
    fatal = [];
    problems = [];
  });
  afterEach(() => log?.close());

  const open = (stalls: number): KafkaLog => {
    const options: KafkaLogOptions = {
      brokers,
      prefix,
      clock: frozenClock(),
      parked: listedRecords(),
      starts: listedStarts(),
      onFatal: (error) => fatal.push(error.message),
      watch: { every: 20, limit: 30_000, monotonic: () => time },
    };
    const problem = (_group: unknown, error: unknown): void => void problems.push(String(error));
    const client = stalling(
      rdkafkaClient(options, () => {}),
      stalls,
    );
    const partitions = newPartitions();
    const served = { connection: new KafkajsConnection(options), prefix, partitions, groups: GROUPS, starts: null };
    return (log = kafkaLog(options, { served, client, problem }));
  };

  const restarts = (): string[] => problems.filter((text) => text.includes('restarting the consumer'));
  /** Lets the watchdog's time pass, a second at a look, until the answer is yes. */
  const pass = (enough: () => boolean): Promise<void> =>
    eventually(async () => {
      if (enough()) return;
      time += 1_000;
      throw new Error('the watchdog did nothing');
    });

  it('restarts a reader that gets none of the records that are there', async () => {
    const reader = await open(1).reader('coins');
    await log!.publish(coinRecords(5));
    const polled = pollCount(reader, 5);
    await pass(() => restarts().length > 0);
    expect(await polled).toHaveLength(5);
    expect([restarts().length, fatal]).toEqual([1, []]);
  });

  it('ends the process when the next reader stalls too', async () => {
    const reader = await open(9).reader('coins');
    await log!.publish(coinRecords(5));
    const polling = reader.poll(1, AbortSignal.timeout(PATIENCE));
    await pass(() => fatal.length > 0);
    expect(fatal[0]).toContain('coins');
    await reader.close();
    expect(await polling).toEqual([]);
  });

  it('leaves a reader alone that waits for nothing, or that asks for nothing', async () => {
    const reader = await open(0).reader('coins');
    await log!.publish(coinRecords(5));
    await pollCount(reader, 5);
    const idle = reader.poll(1, AbortSignal.timeout(500));
    const start = time;
    await pass(() => time - start > 60_000);
    await idle;
    await log!.publish(coinRecords(5, 10, 5));
    const then = time;
    await pass(() => time - then > 60_000);
    expect([problems, fatal]).toEqual([[], []]);
  });
});
