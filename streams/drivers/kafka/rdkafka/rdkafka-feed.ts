import type {
  KafkaConsumer,
  LibrdKafkaError,
  Message,
  MessageHeader,
  TopicPartition as Assignment,
  TopicPartitionOffset,
} from 'node-rdkafka';
import type { Position } from '../../../event-log';
import { sleep } from '../../../../lib/sleep';
import { partitionKey, type TopicName, type TopicPartition } from '../../../topics';
import type { Feed, FeedOwner, Membership } from '../client';
import { groupName, topicName } from '../names';
import { HAND_OVER_LIMIT, REQUEST_TIMEOUT, type KafkaServers } from '../options';
import type { StoredRecord } from '../../../records';
import { decodeRecord, type RawRecord } from '../record-codec';
import { Commits } from './commits';
import { consumerConfig, consumerTopicConfig } from './config';
import { disconnect } from './disconnect';
import type { Rdkafka } from './load';

const READ_AT_ONCE = 256;
/**
 * How long to wait before polling again when nothing arrived, ms. Polls do not block: that would hold a thread of the
 * pool.
 */
const IDLE = 10;
/** The same after some seconds without a record: polls at rest would take a tenth of a core in ten processes. */
const LONGEST_IDLE = 50;
/** Empty polls by which the wait grows by one millisecond. */
const QUIET_POLLS = 4;
const ERROR_WAIT = 200;
/** After this long without room, the partitions are paused: polls then deliver handovers but no records. */
const FULL_PATIENCE = 250;

/**
 * A group member on librdkafka, which sends heartbeats from its own thread. Handovers are cooperative: a member that
 * gives nothing away reads on. One that does gets nothing new until the handover ends, since librdkafka pauses all its
 * partitions meanwhile. Changes of the assignment run between two polls, so that no record arrives from before the
 * change.
 */
export class RdkafkaFeed implements Feed {
  private readonly consumer: KafkaConsumer;
  private readonly commits: Commits;
  /** Our topic, by its name on the servers. */
  private readonly topics: ReadonlyMap<string, TopicName>;
  private readonly stopping = new AbortController();
  /** Changes to run between two polls. */
  private readonly changes: (() => void)[] = [];
  /** Callbacks that release partitions being handed over. */
  private readonly leaving = new Set<() => void>();
  /** Callbacks that take partitions whose starts are still being looked up. */
  private readonly assigning = new Set<() => void>();
  private loop: Promise<void> | null = null;
  private ended = false;
  private paused: Assignment[] = [];
  /** Polls since the last record. */
  private quiet = 0;

  constructor(
    private readonly library: Rdkafka,
    servers: KafkaServers,
    { group, topics }: Membership,
    private readonly owner: FeedOwner,
  ) {
    const { prefix } = servers;
    this.topics = new Map(topics.map((topic) => [topicName(prefix, topic), topic]));
    const config = {
      ...consumerConfig(servers, groupName(servers, group)),
      rebalance_cb: (error: LibrdKafkaError, partitions: Assignment[]) => this.rebalance(error, partitions),
      offset_commit_cb: (error: LibrdKafkaError | null) => this.commits.settle(error),
    };
    this.consumer = new library.KafkaConsumer(config, consumerTopicConfig);
    this.consumer.setDefaultConsumeTimeout(0);
    const send = (positions: readonly Position[]): void => {
      this.consumer.commit(
        positions.map(({ topic, partition, next }) => ({ topic: topicName(prefix, topic), partition, offset: next })),
      );
    };
    this.commits = new Commits(send, (error) => owner.failed(error));
    this.consumer.on('event.error', (error) => {
      if (error.code === library.CODES.ERRORS.ERR__FATAL) owner.failed(error);
      else owner.problem(error);
    });
  }

  async start(): Promise<void> {
    const names = [...this.topics.keys()];
    await new Promise<void>((resolve, reject) => {
      this.consumer.connect({ topic: names[0]!, timeout: REQUEST_TIMEOUT }, (error: LibrdKafkaError | null) =>
        error ? reject(new Error(error.message)) : resolve(),
      );
    });
    // It was closed before anything was opened.
    if (this.stopping.signal.aborted) return disconnect(this.consumer);
    this.consumer.subscribe(names);
    this.loop = this.run();
  }

  commit(positions: readonly Position[]): Promise<void> {
    return this.commits.add(positions);
  }

  async close(): Promise<void> {
    this.stopping.abort();
    await this.loop;
    this.ended = true;
    // A handover that librdkafka waits for would keep it from leaving.
    for (const change of [...this.changes.splice(0), ...this.assigning, ...this.leaving]) this.attempt(change);
    this.commits.close();
    await disconnect(this.consumer);
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      try {
        for (const change of this.changes.splice(0)) this.attempt(change);
        const room = await this.room();
        const records = await this.consume(room);
        if (records.length > 0) {
          this.quiet = 0;
          this.owner.received(records.map((record) => this.decode(record)));
        } else await this.rest();
      } catch (error) {
        this.owner.problem(error);
        await sleep(ERROR_WAIT, signal);
      }
    }
  }

  private rest(): Promise<void> {
    this.quiet += 1;
    return sleep(Math.min(LONGEST_IDLE, IDLE + this.quiet / QUIET_POLLS), this.stopping.signal);
  }

  /** How many records to ask for. Waits a little for room, then pauses the partitions until there is some. */
  private async room(): Promise<number> {
    const deadline = performance.now() + FULL_PATIENCE;
    let room = this.owner.room();
    while (room === 0 && this.paused.length === 0 && this.changes.length === 0 && performance.now() < deadline) {
      if (this.stopping.signal.aborted) break;
      await sleep(IDLE, this.stopping.signal);
      room = this.owner.room();
    }
    if (room === 0) this.hold();
    else this.release();
    // Ask for at least one: with all partitions paused it does not arrive, and polling keeps the membership alive.
    return Math.min(READ_AT_ONCE, Math.max(1, room));
  }

  /** Pauses the partitions that are not paused yet: some may have been assigned since the last time. */
  private hold(): void {
    const open = this.consumer.assignments().filter((one) => !this.paused.some((held) => isSame(held, one)));
    if (open.length === 0) return;
    this.consumer.pause(open);
    this.paused.push(...open);
  }

  private release(): void {
    if (this.paused.length === 0) return;
    this.consumer.resume(this.paused);
    this.paused = [];
  }

  private consume(count: number): Promise<Message[]> {
    return new Promise((resolve, reject) => {
      this.consumer.consume(count, (error: LibrdKafkaError | null, messages) =>
        error ? reject(new Error(error.message)) : resolve(messages),
      );
    });
  }

  private decode({ topic, key, timestamp = 0, headers = [], ...rest }: Message): StoredRecord {
    return decodeRecord(this.topics.get(topic)!, { ...rest, key, timestamp, headers: fieldsOf(headers) });
  }

  private ours(partitions: readonly Assignment[]): TopicPartition[] {
    return partitions.map(({ topic, partition }) => ({ topic: this.topics.get(topic)!, partition }));
  }

  private rebalance(error: LibrdKafkaError, partitions: Assignment[]): void {
    const { ERR__ASSIGN_PARTITIONS, ERR__REVOKE_PARTITIONS } = this.library.CODES.ERRORS;
    if (error.code === ERR__REVOKE_PARTITIONS) this.revoke(partitions);
    else if (error.code === ERR__ASSIGN_PARTITIONS) this.soon(() => this.assign(partitions));
    else this.owner.problem(error);
  }

  /** librdkafka waits with further handovers until the partitions are taken. */
  private assign(partitions: Assignment[]): void {
    const starts = this.owner.startsIn(this.ours(partitions));
    if (!starts || this.stopping.signal.aborted) return this.take(partitions, []);
    const take = (found: readonly Position[]): void => {
      if (this.assigning.delete(takeUnread)) this.take(partitions, found);
    };
    const takeUnread = (): void => take([]);
    this.assigning.add(takeUnread);
    starts.then(
      (found) => this.soon(() => take(found)),
      (error: unknown) => this.owner.failed(error),
    );
  }

  private take(partitions: Assignment[], starts: readonly Position[]): void {
    const ours = this.ours(partitions);
    const offsets = new Map(starts.map((start) => [partitionKey(start), start.next]));
    const places = partitions.map((partition, at): Assignment | TopicPartitionOffset => {
      const offset = offsets.get(partitionKey(ours[at]!));
      return offset === undefined ? partition : { ...partition, offset };
    });
    this.consumer.incrementalAssign(places);
    if (!this.stopping.signal.aborted) this.owner.assigned(ours);
  }

  /**
   * Releases the partitions once the owner has finished with them. At once when the feed is closing, since the owner
   * has finished then.
   */
  private revoke(partitions: Assignment[]): void {
    const release = (): void => {
      if (!this.leaving.delete(release)) return;
      this.paused = this.paused.filter((held) => !partitions.some((one) => isSame(held, one)));
      this.consumer.incrementalUnassign(partitions);
    };
    this.leaving.add(release);
    if (this.stopping.signal.aborted) return this.soon(release);
    void this.owner.revoked(this.ours(partitions), HAND_OVER_LIMIT).then(() => this.soon(release));
  }

  /** Runs the change between two polls, or now when there are no more polls. */
  private soon(change: () => void): void {
    if (this.ended) this.attempt(change);
    else this.changes.push(change);
  }

  private attempt(change: () => void): void {
    try {
      change();
    } catch (error) {
      this.owner.problem(error);
    }
  }
}

const isSame = (one: Assignment, other: Assignment): boolean =>
  one.topic === other.topic && one.partition === other.partition;

/** The headers as one object; the library gives one object per header. */
function fieldsOf(headers: readonly MessageHeader[]): RawRecord['headers'] {
  const fields: Record<string, Buffer | string> = {};
  for (const header of headers) Object.assign(fields, header);
  return fields;
}
