import type { DeliveryReport, LibrdKafkaError, Producer } from 'node-rdkafka';
import { sleep } from '../../../../lib/sleep';
import { withTimeout } from '../../../../lib/with-timeout';
import type { KafkaProducer } from '../client';
import { DELIVERY_TIMEOUT, REQUEST_TIMEOUT, type KafkaServers } from '../options';
import type { EncodedRecord } from '../record-codec';
import { unavailable } from '../unavailable';
import { producerConfig, producerTopicConfig } from './config';
import { disconnect } from './disconnect';
import type { Rdkafka } from './load';

/** How often delivery reports are fetched while some are outstanding, ms. */
const LOOK_EVERY = 5;
const QUEUE_FULL_WAIT = 20;

type Report = (error: LibrdKafkaError | null) => void;

/** Without a delivery for this long a line is given up when a record times out, ms: another may get through. */
const STUCK_AFTER = 2 * DELIVERY_TIMEOUT;

/**
 * A producer and its outstanding deliveries. A fatal error makes it unusable (an idempotent producer that lost count),
 * and so does a state in which every record times out although the servers answer.
 */
class Line {
  spoilt = false;
  private deliveredAt = performance.now();
  private due = 0;
  private timer: NodeJS.Timeout | null = null;

  private constructor(
    private readonly library: Rdkafka,
    private readonly producer: Producer,
  ) {}

  static async open(library: Rdkafka, servers: KafkaServers, onProblem: (error: unknown) => void): Promise<Line> {
    const producer = new library.Producer(producerConfig(servers), producerTopicConfig);
    const line = new Line(library, producer);
    producer.on('event.error', (error) => {
      if (error.code === library.CODES.ERRORS.ERR__FATAL) line.spoilt = true;
      onProblem(error);
    });
    producer.on('delivery-report', (error: LibrdKafkaError | null, report: DeliveryReport) => {
      (report.opaque as Report)(error);
    });
    await new Promise<void>((resolve, reject) => {
      producer.connect({ timeout: REQUEST_TIMEOUT }, (error: LibrdKafkaError | null) =>
        error ? reject(new Error(error.message)) : resolve(),
      );
    });
    return line;
  }

  /**
   * Reports once whether the record is durable. Throws at once when the record cannot be queued, for example when the
   * queue is full.
   */
  send({ topic, partition, value, key, timestamp, headers }: EncodedRecord, report: Report): void {
    // The library takes only the first field of each object.
    const fields = Object.entries(headers).map(([name, text]) => ({ [name]: text }));
    const settle: Report = (error) => {
      this.due -= 1;
      if (this.due === 0) this.rest();
      if (this.isBeyondUse(error)) this.spoilt = true;
      report(error);
    };
    this.producer.produce(topic, partition, value, key, timestamp, settle, fields);
    this.due += 1;
    this.timer ??= setInterval(() => this.look(), LOOK_EVERY);
  }

  /** True for the error that asks to retry in a moment. */
  isFull(error: unknown): boolean {
    return (error as Partial<LibrdKafkaError>).code === this.library.CODES.ERRORS.ERR__QUEUE_FULL;
  }

  async close(): Promise<void> {
    this.rest();
    await disconnect(this.producer);
  }

  private isBeyondUse(error: LibrdKafkaError | null): boolean {
    const now = performance.now();
    if (!error) this.deliveredAt = now;
    const { ERR__FATAL, ERR__MSG_TIMED_OUT } = this.library.CODES.ERRORS;
    const isStuck = error?.code === ERR__MSG_TIMED_OUT && now - this.deliveredAt > STUCK_AFTER;
    return isStuck || error?.code === ERR__FATAL;
  }

  private look(): void {
    if (this.producer.isConnected()) this.producer.poll();
    else this.rest();
  }

  private rest(): void {
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
  }
}

/** Writes through an idempotent producer, opened when first needed and again once it becomes unusable. */
export class RdkafkaProducer implements KafkaProducer {
  private line: Promise<Line> | null = null;
  private closed = false;

  constructor(
    private readonly library: Rdkafka,
    private readonly servers: KafkaServers,
    private readonly onProblem: (error: unknown) => void,
  ) {}

  async send(records: readonly EncodedRecord[]): Promise<void> {
    if (records.length === 0) return;
    try {
      const line = await this.current();
      // librdkafka gives up first. This is for the case that it never reports.
      await withTimeout(sendAll(line, records), DELIVERY_TIMEOUT + REQUEST_TIMEOUT, { what: 'publishing' });
    } catch (error) {
      throw unavailable('publishing', error);
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    const line = await this.line?.catch(() => null);
    await line?.close();
  }

  private async current(): Promise<Line> {
    if (this.closed) throw new Error('the log is closed');
    const opening = (this.line ??= Line.open(this.library, this.servers, this.onProblem));
    try {
      const line = await opening;
      if (!line.spoilt) return line;
      if (this.line === opening) {
        this.line = null;
        void line.close();
      }
    } catch (error) {
      if (this.line === opening) this.line = null;
      throw error;
    }
    return this.current();
  }
}

/** Sends all in order. When the queue is full, the rest waits until there is room. */
async function sendAll(line: Line, records: readonly EncodedRecord[]): Promise<void> {
  const signal = AbortSignal.timeout(DELIVERY_TIMEOUT);
  const failures: LibrdKafkaError[] = [];
  let due = records.length;
  let finish: () => void = () => {};
  const all = new Promise<void>((resolve) => (finish = resolve));
  const report: Report = (error) => {
    if (error) failures.push(error);
    due -= 1;
    if (due === 0) finish();
  };
  for (const record of records) {
    while (!take(line, record, report)) {
      if (signal.aborted) throw new Error('the queue is full');
      await sleep(QUEUE_FULL_WAIT, signal);
    }
  }
  await all;
  if (failures[0]) throw new Error(failures[0].message);
}

/** False when the queue is full. */
function take(line: Line, record: EncodedRecord, report: Report): boolean {
  try {
    line.send(record, report);
    return true;
  } catch (error) {
    if (line.isFull(error)) return false;
    throw error;
  }
}
