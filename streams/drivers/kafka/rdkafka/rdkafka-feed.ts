import type { KafkaConsumer, LibrdKafkaError, Message, TopicPartition } from 'node-rdkafka';
import type { Position } from '../../../event-log';
import { sleep } from '../../../../lib/sleep';
import { GROUPS, type GroupName, type TopicName } from '../../../topics';
import type { Feed, FeedOwner } from '../client';
import { groupName, topicName } from '../names';
import { HAND_OVER_LIMIT, REQUEST_TIMEOUT, type KafkaServers } from '../options';
import { decodeRecord } from '../record-codec';
import { Commits } from './commits';
import { consumerConfig, consumerTopicConfig } from './config';
import { disconnect } from './disconnect';
import type { Rdkafka } from './load';

const READ_AT_ONCE = 256;
/** How long to wait before asking again when nothing came, ms. Asking does not block: it would hold a thread of the pool. */
const IDLE = 10;
const ERROR_WAIT = 200;
/** When nothing is wanted for so long, the partitions are paused, so that asking on delivers hand-overs but no records. */
const FULL_PATIENCE = 250;

/**
 * A member of the group through librdkafka, which keeps it alive from a thread of its own. Hand-overs are cooperative: who gives
 * nothing away reads on; who does gets nothing new until it is finished, since librdkafka pauses all its partitions meanwhile.
 * What changes the assignment runs between two requests for records, so that none comes from before it.
 */
export class RdkafkaFeed implements Feed {
  private readonly consumer: KafkaConsumer;
  private readonly commits: Commits;
  private readonly topic: TopicName;
  private readonly name: string;
  private readonly stopping = new AbortController();
  /** To be done between two requests for records. */
  private readonly changes: (() => void)[] = [];
  /** What lets go of partitions that are being handed over. */
  private readonly leaving = new Set<() => void>();
  private loop: Promise<void> | null = null;
  private ended = false;
  private paused: TopicPartition[] = [];

  constructor(
    private readonly library: Rdkafka,
    servers: KafkaServers,
    group: GroupName,
    private readonly owner: FeedOwner,
  ) {
    this.topic = GROUPS[group];
    this.name = topicName(servers.prefix, this.topic);
    const config = {
      ...consumerConfig(servers, groupName(servers.prefix, group)),
      rebalance_cb: (error: LibrdKafkaError, partitions: TopicPartition[]) => this.rebalance(error, partitions),
      offset_commit_cb: (error: LibrdKafkaError | null) => this.commits.settle(error),
    };
    this.consumer = new library.KafkaConsumer(config, consumerTopicConfig);
    this.consumer.setDefaultConsumeTimeout(0);
    const send = (positions: readonly Position[]): void => {
      this.consumer.commit(positions.map(({ partition, next }) => ({ topic: this.name, partition, offset: next })));
    };
    this.commits = new Commits(send, (error) => owner.failed(error));
    this.consumer.on('event.error', (error) => {
      if (error.code === library.CODES.ERRORS.ERR__FATAL) owner.failed(error);
      else owner.problem(error);
    });
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.consumer.connect({ topic: this.name, timeout: REQUEST_TIMEOUT }, (error: LibrdKafkaError | null) =>
        error ? reject(new Error(error.message)) : resolve(),
      );
    });
    // It was closed before there was anything to end.
    if (this.stopping.signal.aborted) return disconnect(this.consumer);
    this.consumer.subscribe([this.name]);
    this.loop = this.run();
  }

  commit(positions: readonly Position[]): Promise<void> {
    return this.commits.add(positions);
  }

  async close(): Promise<void> {
    this.stopping.abort();
    await this.loop;
    this.ended = true;
    // A hand-over that librdkafka waits for would keep it from leaving.
    for (const change of [...this.changes.splice(0), ...this.leaving]) this.attempt(change);
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
        if (records.length > 0) this.owner.received(records.map((record) => this.decode(record)));
        else await sleep(IDLE, signal);
      } catch (error) {
        this.owner.problem(error);
        await sleep(ERROR_WAIT, signal);
      }
    }
  }

  /** How many records to ask for; waits a little for room, then pauses the partitions until there is some. */
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
    // With all paused, the one asked for does not come; asking is what keeps the membership going.
    return Math.min(READ_AT_ONCE, Math.max(1, room));
  }

  /** Pauses what is not paused yet: partitions may have come since the last time. */
  private hold(): void {
    const held = new Set(this.paused.map(({ partition }) => partition));
    const open = this.consumer.assignments().filter(({ partition }) => !held.has(partition));
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

  private decode(message: Message): ReturnType<typeof decodeRecord> {
    return decodeRecord(this.topic, { ...message, key: message.key, timestamp: message.timestamp ?? 0 });
  }

  private rebalance(error: LibrdKafkaError, partitions: TopicPartition[]): void {
    const { ERR__ASSIGN_PARTITIONS, ERR__REVOKE_PARTITIONS } = this.library.CODES.ERRORS;
    if (error.code === ERR__REVOKE_PARTITIONS) this.revoke(partitions);
    else if (error.code === ERR__ASSIGN_PARTITIONS) this.soon(() => this.assign(partitions));
    else this.owner.problem(error);
  }

  private assign(partitions: TopicPartition[]): void {
    this.consumer.incrementalAssign(partitions);
    if (!this.stopping.signal.aborted) this.owner.assigned(partitions.map(({ partition }) => partition));
  }

  /** Lets go once the owner is done with them; at once when the feed closes, since then it has let go already. */
  private revoke(partitions: TopicPartition[]): void {
    const letGo = (): void => {
      if (!this.leaving.delete(letGo)) return;
      this.paused = this.paused.filter((held) => !partitions.some(({ partition }) => partition === held.partition));
      this.consumer.incrementalUnassign(partitions);
    };
    this.leaving.add(letGo);
    if (this.stopping.signal.aborted) return this.soon(letGo);
    const numbers = partitions.map(({ partition }) => partition);
    void this.owner.revoked(numbers, HAND_OVER_LIMIT).then(() => this.soon(letGo));
  }

  /** Between two requests for records; when there are no more of them, now. */
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
