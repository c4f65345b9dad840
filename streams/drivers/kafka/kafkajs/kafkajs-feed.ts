import type { Cluster } from 'kafkajs';
import type { Position } from '../../../event-log';
import { sleep } from '../../../../lib/sleep';
import { withTimeout } from '../../../../lib/with-timeout';
import { partitionKey, type TopicPartition } from '../../../topics';
import type { Feed, FeedOwner, Membership } from '../client';
import { HAND_OVER_LIMIT, REQUEST_TIMEOUT, SESSION_TIMEOUT, type KafkaServers } from '../options';
import { clusterOf, kafkajs } from './connection';
import { GroupMember } from './group-member';
import { Places } from './places';

const HEARTBEAT = 2_000;
const LOST_LIMIT = 5_000;
const RETRY_WAIT = 500;
const LEAVE_LIMIT = 5_000;
const IDLE = 20;

const typeOf = (error: unknown): unknown => (error as { type?: unknown }).type;
/** The group continued without this member. */
const LOST = new Set<unknown>(['UNKNOWN_MEMBER_ID', 'ILLEGAL_GENERATION', 'FENCED_INSTANCE_ID']);

/**
 * A group member on the requests of kafkajs, with handovers as in librdkafka: only partitions that move are released,
 * and heartbeats continue while their work finishes.
 */
export class KafkajsFeed implements Feed {
  private readonly cluster: Cluster;
  private readonly member: GroupMember;
  private readonly places: Places;
  private readonly stopping = new AbortController();
  private loops: Promise<unknown> = Promise.resolve();
  private rejoin = new AbortController();
  private heardAt = 0;

  constructor(
    servers: KafkaServers,
    membership: Membership,
    private readonly owner: FeedOwner,
  ) {
    this.cluster = clusterOf(kafkajs(servers));
    const { prefix } = servers;
    this.member = new GroupMember(this.cluster, servers, membership);
    const startsIn: FeedOwner['startsIn'] = (partitions) => owner.startsIn(partitions);
    this.places = new Places(this.cluster, this.member, { prefix, topics: membership.topics, startsIn });
  }

  async start(): Promise<void> {
    await withTimeout(this.cluster.connect(), REQUEST_TIMEOUT, { what: 'connecting' });
    // It was closed before anything was opened.
    if (this.stopping.signal.aborted) return this.cluster.disconnect();
    this.loops = Promise.all([this.live(), this.read()]);
  }

  commit(positions: readonly Position[]): Promise<void> {
    return withTimeout(this.member.commit(positions), REQUEST_TIMEOUT, { what: 'committing' });
  }

  async close(): Promise<void> {
    this.stopping.abort();
    this.rejoin.abort();
    const ended = this.loops.then(() => this.member.leave());
    await withTimeout(ended, LEAVE_LIMIT, { what: 'leaving' }).catch(() => {});
    await withTimeout(this.cluster.disconnect(), LEAVE_LIMIT, { what: 'disconnecting' }).catch(() => {});
  }

  /** Joins, sends heartbeats, and joins again when the group changes. */
  private async live(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      try {
        await this.join();
        await this.beat();
      } catch (error) {
        if (typeOf(error) === 'REBALANCE_IN_PROGRESS') continue;
        await this.recover(error);
      }
    }
  }

  private async join(): Promise<void> {
    this.rejoin = new AbortController();
    const held = this.places.held();
    const assigned = await this.member.join(held);
    this.heardAt = performance.now();
    const [had, has] = [new Set(held.map(partitionKey)), new Set(assigned.map(partitionKey))];
    const added = assigned.filter((partition) => !had.has(partitionKey(partition)));
    const moved = this.places.staying().filter((partition) => !has.has(partitionKey(partition)));
    this.places.add(added);
    if (added.length > 0) this.owner.assigned(added);
    if (moved.length > 0) void this.handOver(moved);
  }

  /** Releases partitions once the owner has finished with them, and reports it by joining again. */
  private async handOver(partitions: readonly TopicPartition[]): Promise<void> {
    this.places.leave(partitions);
    await this.owner.revoked(partitions, HAND_OVER_LIMIT);
    this.places.remove(partitions);
    this.rejoin.abort();
  }

  /** Sends heartbeats until it is time to join again. Throws the error that rejects a heartbeat. */
  private async beat(): Promise<void> {
    const { signal } = this.rejoin;
    for (;;) {
      await sleep(HEARTBEAT, signal);
      if (signal.aborted || this.stopping.signal.aborted) return;
      await this.member.heartbeat();
      this.heardAt = performance.now();
    }
  }

  private async recover(error: unknown): Promise<void> {
    const lost = LOST.has(typeOf(error)) || performance.now() - this.heardAt > SESSION_TIMEOUT;
    if (lost) {
      this.member.forget();
      const held = this.places.held();
      this.places.leave(held);
      await this.owner.revoked(held, LOST_LIMIT);
      this.places.remove(held);
    }
    if (this.stopping.signal.aborted) return;
    if (!LOST.has(typeOf(error))) this.owner.problem(error);
    await sleep(RETRY_WAIT, this.stopping.signal);
    await this.cluster.refreshMetadata().catch(() => {});
  }

  private async read(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      try {
        if (this.owner.room() === 0 || this.places.staying().length === 0) await sleep(IDLE, signal);
        else this.owner.received(await this.places.fetch());
      } catch (error) {
        this.owner.problem(error);
        await sleep(RETRY_WAIT, signal);
      }
    }
  }
}
