import { AssignerProtocol, type Cluster } from 'kafkajs';
import type { Position } from '../../../event-log';
import { partitionKey, type TopicName, type TopicPartition } from '../../../topics';
import type { Membership } from '../client';
import { groupName, topicName } from '../names';
import { REJOIN_LIMIT, SESSION_TIMEOUT, type LogNames } from '../options';
import { assignPartitions } from './assign-partitions';
import { decodeSubscription, encodeSubscription } from './subscription';

/** librdkafka's name for this assignment strategy, so that both libraries can be in one group. */
const PROTOCOL = 'cooperative-sticky';

/** Requests of group members. kafkajs implements them, but leaves them out of its types. */
interface Coordinator {
  joinGroup(request: {
    groupId: string;
    memberId: string;
    sessionTimeout: number;
    rebalanceTimeout: number;
    groupProtocols: { name: string; metadata: Buffer }[];
  }): Promise<{
    generationId: number;
    leaderId: string;
    memberId: string;
    members: { memberId: string; memberMetadata: Buffer }[];
  }>;
  syncGroup(request: {
    groupId: string;
    generationId: number;
    memberId: string;
    groupAssignment: { memberId: string; memberAssignment: Buffer }[];
  }): Promise<{ memberAssignment: Buffer }>;
  heartbeat(request: { groupId: string; groupGenerationId: number; memberId: string }): Promise<unknown>;
  leaveGroup(request: { groupId: string; memberId: string }): Promise<unknown>;
  offsetCommit(request: {
    groupId: string;
    groupGenerationId: number;
    memberId: string;
    topics: { topic: string; partitions: { partition: number; offset: string }[] }[];
  }): Promise<unknown>;
  offsetFetch(request: {
    groupId: string;
    topics: { topic: string; partitions: { partition: number }[] }[];
  }): Promise<{ responses: { topic: string; partitions: { partition: number; offset: string }[] }[] }>;
}

/**
 * The requests of one member of a consumer group. kafkajs's own consumer hands over partitions without waiting for work
 * in progress.
 */
export class GroupMember {
  private memberId = '';
  private generation = -1;
  private coordinator: Promise<Coordinator> | null = null;

  private readonly prefix: string;
  private readonly group: string;
  private readonly topics: readonly TopicName[];

  constructor(
    private readonly cluster: Cluster,
    names: LogNames,
    { group, topics }: Membership,
  ) {
    this.prefix = names.prefix;
    this.group = groupName(names, group);
    this.topics = topics;
  }

  /**
   * Joins with the partitions this member holds, and returns those it should hold. Blocks until all members have
   * joined.
   */
  async join(held: readonly TopicPartition[]): Promise<TopicPartition[]> {
    for (const topic of this.topics) await this.cluster.addTargetTopic(this.nameOf(topic));
    const owned = this.topics.map((topic) => [this.nameOf(topic), partitionsOf(held, topic)] as const);
    const metadata = encodeSubscription({ owned: new Map(owned), generation: this.generation });
    const joined = await this.ask((coordinator) =>
      coordinator.joinGroup({
        groupId: this.group,
        memberId: this.memberId,
        sessionTimeout: SESSION_TIMEOUT,
        rebalanceTimeout: REJOIN_LIMIT,
        groupProtocols: [{ name: PROTOCOL, metadata }],
      }),
    );
    this.memberId = joined.memberId;
    this.generation = joined.generationId;
    const groupAssignment = joined.leaderId === joined.memberId ? await this.shareOut(joined.members) : [];
    const { memberAssignment } = await this.ask((coordinator) =>
      coordinator.syncGroup({ ...this.identity(), generationId: this.generation, groupAssignment }),
    );
    const assigned = AssignerProtocol.MemberAssignment.decode(memberAssignment)?.assignment ?? {};
    return this.topics.flatMap((topic) =>
      (assigned[this.nameOf(topic)] ?? []).map((partition) => ({ topic, partition })),
    );
  }

  async heartbeat(): Promise<void> {
    await this.ask((coordinator) => coordinator.heartbeat({ ...this.identity(), groupGenerationId: this.generation }));
  }

  async commit(positions: readonly Position[]): Promise<void> {
    const topics = topicsOf(positions).map((topic) => {
      const own = positions.filter((position) => position.topic === topic);
      const partitions = own.map(({ partition, next }) => ({ partition, offset: String(next) }));
      return { topic: this.nameOf(topic), partitions };
    });
    await this.ask((coordinator) =>
      coordinator.offsetCommit({ ...this.identity(), groupGenerationId: this.generation, topics }),
    );
  }

  /**
   * What the group has committed in each of the partitions (see partitionKey); no entry where it has committed nothing.
   */
  async committed(partitions: readonly TopicPartition[]): Promise<Map<string, number>> {
    const requested = topicsOf(partitions);
    const topics = requested.map((topic) => ({
      topic: this.nameOf(topic),
      partitions: partitionsOf(partitions, topic).map((partition) => ({ partition })),
    }));
    const { responses } = await this.ask((coordinator) => coordinator.offsetFetch({ groupId: this.group, topics }));
    const known = requested.flatMap((topic) =>
      responses
        .filter((response) => response.topic === this.nameOf(topic))
        .flatMap((response) => response.partitions)
        .map(({ partition, offset }) => [partitionKey({ topic, partition }), Number(offset)] as const),
    );
    return new Map(known.filter(([, offset]) => offset >= 0));
  }

  async leave(): Promise<void> {
    if (this.memberId === '') return;
    await this.ask((coordinator) => coordinator.leaveGroup(this.identity()));
    this.forget();
  }

  /** The group no longer knows this member; it joins as a new one. */
  forget(): void {
    this.memberId = '';
    this.generation = -1;
  }

  private nameOf(topic: TopicName): string {
    return topicName(this.prefix, topic);
  }

  private identity(): { groupId: string; memberId: string } {
    return { groupId: this.group, memberId: this.memberId };
  }

  /**
   * Assigns each topic separately, among the members that read it: while processes are being replaced, members may read
   * different topics.
   */
  private async shareOut(
    members: readonly { memberId: string; memberMetadata: Buffer }[],
  ): Promise<{ memberId: string; memberAssignment: Buffer }[]> {
    const holders = members.map(({ memberId: id, memberMetadata }) => ({ id, ...decodeSubscription(memberMetadata) }));
    const names = new Set(holders.flatMap(({ owned }) => [...owned.keys()]));
    for (const name of names) await this.cluster.addTargetTopic(name);
    await this.cluster.refreshMetadata();
    const shares = new Map<string, Record<string, number[]>>(members.map(({ memberId }) => [memberId, {}]));
    for (const name of names) {
      const partitions = this.cluster.findTopicPartitionMetadata(name).map(({ partitionId }) => partitionId);
      const readers = holders.flatMap(({ id, owned, generation }) => {
        const held = owned.get(name);
        return held ? [{ id, owned: held, generation }] : [];
      });
      for (const [id, share] of assignPartitions(readers, partitions)) shares.get(id)![name] = share;
    }
    return [...shares].map(([memberId, assignment]) => ({
      memberId,
      memberAssignment: AssignerProtocol.MemberAssignment.encode({ version: 0, assignment, userData: Buffer.alloc(0) }),
    }));
  }

  /** The coordinator may have moved to another server, so it is looked up again after a failure. */
  private async ask<T>(request: (coordinator: Coordinator) => Promise<T>): Promise<T> {
    this.coordinator ??= this.cluster.findGroupCoordinator({ groupId: this.group }) as unknown as Promise<Coordinator>;
    try {
      return await request(await this.coordinator);
    } catch (error) {
      this.coordinator = null;
      throw error;
    }
  }
}

const topicsOf = (partitions: readonly TopicPartition[]): TopicName[] => [
  ...new Set(partitions.map(({ topic }) => topic)),
];

const partitionsOf = (partitions: readonly TopicPartition[], topic: TopicName): number[] =>
  partitions.filter((one) => one.topic === topic).map(({ partition }) => partition);
