import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { FeedOwner, KafkaClient } from '../../../../streams/drivers/kafka/client';
import { kafkaLog, type KafkaLog, type KafkaLogOptions } from '../../../../streams/drivers/kafka/kafka-log';
import { KafkajsConnection } from '../../../../streams/drivers/kafka/kafkajs/connection';
import { openClient } from '../../../../streams/drivers/kafka/open-client';
import { emptyTopics } from '../../../contract/cluster/log-topics';
import { listedRecords } from '../../../contract/cluster/listed-records';
import { coinRecords } from '../../../contract/event-log/support';
import { eventually } from '../../../contract/helpers';
import { pollCount } from '../../../contract/log-reading';
import { frozenClock } from '../../../support/clock';
import { describeOn } from '../../../support/real-services';

/** Of the memberships, the first `count` hand out nothing: they join, live on and stall. */
function stalling(inner: KafkaClient, count: number): KafkaClient {
  let opened = 0;
  return {
    ...inner,
    feed: (group, owner) => {
      opened += 1;
      const deaf: FeedOwner = { ...owner, received: () => {} };
      return inner.feed(group, opened <= count ? deaf : owner);
    },
  };
}

describeOn(['kafka'], 'the watchdog', ({ kafka }) => {
  const brokers = kafka.split(',');
  let prefix: string;
  let log: KafkaLog | null;
  let fatal: string[];
  let problems: string[];

  beforeEach(async () => {
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
      client: 'rdkafka',
      clock: frozenClock(),
      parked: listedRecords(),
      onFatal: (error) => fatal.push(error.message),
      watch: { every: 100, limit: 400, monotonic: () => performance.now() },
    };
    const problem = (_group: unknown, error: unknown): void => void problems.push(String(error));
    const client = stalling(
      openClient('rdkafka', options, () => {}),
      stalls,
    );
    return (log = kafkaLog(options, { connection: new KafkajsConnection(options), client, problem, prefix }));
  };

  it('restarts a reader that gets none of the records that are there', async () => {
    const reader = await open(1).reader('coins');
    await log!.publish(coinRecords(5));
    expect(await pollCount(reader, 5)).toHaveLength(5);
    expect(problems.filter((text) => text.includes('restarted'))).toHaveLength(1);
    expect(fatal).toEqual([]);
  });

  it('ends the process when the next reader stalls too', async () => {
    const reader = await open(9).reader('coins');
    await log!.publish(coinRecords(5));
    const polling = reader.poll(1, AbortSignal.timeout(15_000));
    await eventually(async () => expect(fatal).not.toEqual([]));
    expect(fatal[0]).toContain('coins');
    await reader.close();
    expect(await polling).toEqual([]);
  });

  it('leaves a reader alone that waits for nothing, or that asks for nothing', async () => {
    const reader = await open(0).reader('coins');
    await log!.publish(coinRecords(5));
    await pollCount(reader, 5);
    const idle = reader.poll(1, AbortSignal.timeout(1_000));
    await idle;
    await log!.publish(coinRecords(5, 10, 5));
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect([problems, fatal]).toEqual([[], []]);
  });
});
