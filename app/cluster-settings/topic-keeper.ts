import type { LogFindings } from '../../operations/processes/agreed-settings';
import { SECOND, type Clock } from '../../lib/clock';
import type { Logger } from '../../lib/logger';
import type { Lease, LeaseStore } from '../../stores/ports/lease-store';
import type { KafkaLog } from '../../streams/drivers/kafka/kafka-log';
import type { Unread } from '../../streams/drivers/kafka/group-view';
import { partitionKey } from '../../streams/topics';
import { StableFor } from './stable-for';

const LEASE = 'topics';
const TTL = 15 * SECOND;

export interface TopicKeeperDeps {
  leases: Pick<LeaseStore, 'acquire' | 'renew'>;
  log: Pick<KafkaLog, 'keepTopics' | 'unread'>;
  /** The name of this process in the leases. */
  owner: string;
  clock: Clock;
  logger: Pick<Logger, 'info' | 'warn'>;
}

/**
 * One process of an installation, by lease, owns the topics: it makes those again that are missing, and finds
 * partitions that no process reads. Others see what it found through the register of processes.
 */
export class TopicKeeper {
  found: LogFindings | null = null;
  private epoch: number | null = null;
  private readonly unread = new StableFor<string>();

  constructor(private readonly deps: TopicKeeperDeps) {}

  /** One look, if this process owns the topics or can take them. `leases`: all of the installation, as last read. */
  async look(leases: readonly Lease[]): Promise<void> {
    if (!(await this.isOwner(leases))) {
      this.found = null;
      return;
    }
    const { made, faults } = await this.deps.log.keepTopics();
    if (made.length > 0) this.deps.logger.warn({ topics: made }, 'missing topics were created again');
    this.found = { topics: faults, partitions: await this.unreadPartitions() };
  }

  private async isOwner(leases: readonly Lease[]): Promise<boolean> {
    const { owner, clock, leases: store } = this.deps;
    const now = clock.now();
    const held = leases.find(({ name }) => name === LEASE);
    if (held && held.owner !== null && held.owner !== owner && held.expiresAt > now) {
      this.epoch = null;
      return false;
    }
    if (this.epoch !== null && (await store.renew(LEASE, owner, this.epoch, now, TTL))) return true;
    this.epoch = await store.acquire(LEASE, owner, now, TTL);
    return this.epoch !== null;
  }

  private async unreadPartitions(): Promise<string[]> {
    const found = await this.deps.log.unread();
    const byName = new Map(found.map((one) => [`${one.group} ${partitionKey(one)}`, one]));
    const lasting = this.unread.note(byName.keys()).flatMap((name) => byName.get(name) ?? []);
    return describeUnread(lasting);
  }
}

/** A sentence for each topic with partitions that no process reads. */
export function describeUnread(unread: readonly Unread[]): string[] {
  const sets = new Map<string, number[]>();
  for (const { group, topic, partition } of unread) {
    const set = `${topic} (group ${group})`;
    sets.set(set, [...(sets.get(set) ?? []), partition]);
  }
  return [...sets].map(([set, partitions]) => {
    const numbers = partitions.sort((one, other) => one - other).join(', ');
    return `no working process consumes partition${partitions.length === 1 ? '' : 's'} ${numbers} of ${set}`;
  });
}
