import type { Logger } from '../../lib/logger';
import type { LeaseStore } from '../../stores/ports/lease-store';
import type { SettingsStore } from '../../stores/ports/settings-store';
import type { KafkaLog } from '../../streams/drivers/kafka/kafka-log';
import { DEFAULT_PARTITIONS } from '../../streams/partitions';
import { endOldShards, partitionsOf } from './partition-setting';

export interface PartitionKeeperDeps {
  leases: Pick<LeaseStore, 'retire'>;
  log: Pick<KafkaLog, 'partitions' | 'usePartitions'>;
  logger: Pick<Logger, 'info'>;
}

/** Follows the partitions of the installation, which `kurir topics grow` raises while processes run. */
export class PartitionKeeper {
  constructor(private readonly deps: PartitionKeeperDeps) {}

  /** `settings`: as read a moment ago. */
  async look(settings: Pick<SettingsStore, 'get'>): Promise<void> {
    const { leases, log, logger } = this.deps;
    const counts = await partitionsOf(settings, DEFAULT_PARTITIONS);
    if (log.partitions().are(counts)) return;
    await endOldShards(leases, counts);
    await log.usePartitions(counts);
    logger.info({}, 'topics have more partitions, which this process now uses');
  }
}
