import { AssignerProtocol, type Cluster } from 'kafkajs';
import type { Position } from '../../../event-log';
import { REJOIN_LIMIT, SESSION_TIMEOUT } from '../options';
import { assignPartitions } from './assign-partitions';
import { decodeSubscription, encodeSubscription } from './subscription';

/** The name under which librdkafka knows this way of sharing out, so that both libraries may be in one group. */
const PROTOCOL = 'cooperative-sticky';

/** Requests of group members; kafkajs has them, but leaves them out of its types. */
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
  }): Promise<{ responses: { partitions: { partition: number; offset: string }[] }[] }>;
}

/** The requests of one member of a consumer group; kafkajs's own consumer hands over without waiting for what is under way. */
export class GroupMember {
  private memberId = '';
  private generation = -1;
  private coordinator: Promise<Coordinator> | null = null;

  constructor(
    private readonly cluster: Cluster,
    private readonly group: string,
    private readonly topic: string,
  ) {}

  /** Joins with what this member holds; answers what it is to hold. Blocks until all members have joined. */
  async join(held: readonly number[]): Promise<number[]> {
    await this.cluster.addTargetTopic(this.topic);
    const metadata = encodeSubscription({ topic: this.topic, owned: held, generation: this.generation });
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
      coordinator.syncGroup({ ...this.me(), generationId: this.generation, groupAssignment }),
    );
    return AssignerProtocol.MemberAssignment.decode(memberAssignment)?.assignment[this.topic] ?? [];
  }

  async heartbeat(): Promise<void> {
    await this.ask((coordinator) => coordinator.heartbeat({ ...this.me(), groupGenerationId: this.generation }));
  }

  async commit(positions: readonly Position[]): Promise<void> {
    const partitions = positions.map(({ partition, next }) => ({ partition, offset: String(next) }));
    const topics = [{ topic: this.topic, partitions }];
    await this.ask((coordinator) =>
      coordinator.offsetCommit({ ...this.me(), groupGenerationId: this.generation, topics }),
    );
  }

  /** What the group has committed in each of the partitions; none where it has not. */
  async committed(partitions: readonly number[]): Promise<Map<number, number>> {
    const topics = [{ topic: this.topic, partitions: partitions.map((partition) => ({ partition })) }];
    const { responses } = await this.ask((coordinator) => coordinator.offsetFetch({ groupId: this.group, topics }));
    const found = responses.flatMap((response) => response.partitions);
    const known = found.map(({ partition, offset }) => [partition, Number(offset)] as const);
    return new Map(known.filter(([, offset]) => offset >= 0));
  }

  async leave(): Promise<void> {
    if (this.memberId === '') return;
    await this.ask((coordinator) => coordinator.leaveGroup(this.me()));
    this.forget();
  }

  /** The group knows this member no longer; it joins as a new one. */
  forget(): void {
    this.memberId = '';
    this.generation = -1;
  }

  private me(): { groupId: string; memberId: string } {
    return { groupId: this.group, memberId: this.memberId };
  }

  private async shareOut(
    members: readonly { memberId: string; memberMetadata: Buffer }[],
  ): Promise<{ memberId: string; memberAssignment: Buffer }[]> {
    await this.cluster.refreshMetadata();
    const partitions = this.cluster.findTopicPartitionMetadata(this.topic).map(({ partitionId }) => partitionId);
    const holders = members.map(({ memberId, memberMetadata }) => {
      const { owned, generation } = decodeSubscription(memberMetadata, this.topic);
      return { id: memberId, owned, generation };
    });
    return [...assignPartitions(holders, partitions)].map(([memberId, share]) => ({
      memberId,
      memberAssignment: AssignerProtocol.MemberAssignment.encode({
        version: 0,
        assignment: { [this.topic]: share },
        userData: Buffer.alloc(0),
      }),
    }));
  }

  /** Another server may have become the group's, so it is looked up again after a failure. */
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
