import { Partitioners, type Producer, type RecordMetadata } from 'kafkajs';
import { withTimeout } from '../../../../lib/with-timeout';
import type { KafkaProducer } from '../client';
import { DELIVERY_TIMEOUT, REQUEST_TIMEOUT, type KafkaServers } from '../options';
import type { EncodedRecord } from '../record-codec';
import { unavailable } from '../unavailable';
import { kafkajs } from './connection';

/** The bytes of one request. Records of one partition go as one batch, which the servers limit to about 1 MB. */
const REQUEST_BYTES = 524_288;
/** A failover of the servers takes some ten seconds. The waits grow to one second each. */
const RETRIES = 20;

interface Waiting {
  records: readonly EncodedRecord[];
  /** How many of its records were sent. */
  sent: number;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Writes through an idempotent producer, one request after the other, so that no record overtakes another. Reopened
 * after a failure.
 */
export class KafkajsProducer implements KafkaProducer {
  private readonly waiting: Waiting[] = [];
  private producer: Promise<Producer> | null = null;
  private running: Promise<void> | null = null;
  private closed = false;

  constructor(private readonly servers: KafkaServers) {}

  send(records: readonly EncodedRecord[]): Promise<void> {
    if (this.closed) return Promise.reject(unavailable('publishing', new Error('the log is closed')));
    if (records.length === 0) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.waiting.push({ records, sent: 0, resolve, reject });
      this.running ??= this.run();
    });
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.running;
    await this.drop();
  }

  private async run(): Promise<void> {
    // Everything else published in this turn joins the batch.
    await Promise.resolve();
    while (this.waiting.length > 0) {
      const batch = takeBatch(this.waiting);
      try {
        await withTimeout(this.write(batch), DELIVERY_TIMEOUT, { what: 'publishing' });
      } catch (error) {
        await this.drop();
        // Calls whose first records were in the failed request have failed as a whole.
        while (this.waiting[0] && this.waiting[0].sent > 0)
          this.waiting.shift()?.reject(unavailable('publishing', error));
      }
      while (this.waiting[0] && this.waiting[0].sent === this.waiting[0].records.length)
        this.waiting.shift()?.resolve();
    }
    // In the same turn as the last check, or records published right then would wait forever.
    this.running = null;
  }

  private async write(records: readonly EncodedRecord[]): Promise<void> {
    const producer = await (this.producer ??= this.open());
    const byTopic = new Map<string, EncodedRecord[]>();
    for (const record of records) byTopic.set(record.topic, [...(byTopic.get(record.topic) ?? []), record]);
    const written = await producer.sendBatch({
      acks: -1,
      timeout: REQUEST_TIMEOUT,
      topicMessages: [...byTopic].map(([topic, own]) => ({
        topic,
        messages: own.map(({ partition, key, value, timestamp, headers }) => ({
          partition,
          key,
          value,
          timestamp: String(timestamp),
          headers: { ...headers },
        })),
      })),
    });
    requireAll(records, written);
  }

  private async open(): Promise<Producer> {
    const producer = kafkajs(this.servers).producer({
      idempotent: true,
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
      createPartitioner: Partitioners.DefaultPartitioner,
      retry: { initialRetryTime: 100, maxRetryTime: 1_000, retries: RETRIES },
    });
    await producer.connect();
    return producer;
  }

  private async drop(): Promise<void> {
    const opened = this.producer;
    this.producer = null;
    const ended = opened?.then((producer) => producer.disconnect()).catch(() => {});
    if (ended) await withTimeout(ended, REQUEST_TIMEOUT, { what: 'disconnecting' }).catch(() => {});
  }
}

/** Without an error the library leaves out what belongs to a partition that it has not heard of. */
function requireAll(records: readonly EncodedRecord[], written: readonly RecordMetadata[]): void {
  const places = new Set(written.map(({ topicName, partition }) => `${topicName} ${partition}`));
  const left = records.find(({ topic, partition }) => !places.has(`${topic} ${partition}`));
  if (left) throw new Error(`no server is known for partition ${left.partition} of ${left.topic}`);
}

/** Takes the next records in order, up to REQUEST_BYTES or one; marks them as sent. */
function takeBatch(waiting: readonly Waiting[]): EncodedRecord[] {
  const batch: EncodedRecord[] = [];
  let bytes = 0;
  for (const entry of waiting) {
    for (; entry.sent < entry.records.length; entry.sent += 1) {
      const record = entry.records[entry.sent]!;
      bytes += record.key.length + record.value.length;
      if (bytes > REQUEST_BYTES && batch.length > 0) return batch;
      batch.push(record);
    }
  }
  return batch;
}
