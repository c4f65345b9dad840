import { openMongoAudit } from '../../stores/mongodb/audit/audit-source';
import type { AuditSource } from '../../stores/ports/audit-source';
import { AdvancingClock } from '../../lib/advancing-clock';
import type { ClusterConfig } from '../../operations/config/cluster-config';
import { openClusterBeside } from './open-cluster';

/** Opens the data on the servers for the audit. Throws StartError and the errors of the stores. */
export async function openClusterAudit(config: ClusterConfig): Promise<AuditSource> {
  const engine = await openClusterBeside(config, new AdvancingClock());
  try {
    const source = await openMongoAudit(config.mongo, engine.log);
    const close = async (): Promise<void> => {
      await source.close();
      await engine.close();
    };
    return { ...source, close };
  } catch (error) {
    await engine.close();
    throw error;
  }
}
