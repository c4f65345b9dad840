import type { Stores } from '../../stores/ports';
import type { ClusterTools } from '../installation/engine-tools';
import type { Config } from '../config/config';
import { checkAgreement, checkMarker } from './check-cluster-settings';
import { PROCESS_LEASES } from '../processes/process-register';
import { findRunning, type RunningService } from '../installation/running-file';
import type { Check } from './check';
import { checkDataDir, type DataDirState } from './check-data-dir';
import { checkPorts, type PortState } from './check-ports';
import { counted } from '../../lib/counted';

/** What surrounds the data: where the service runs and what it depends on. */
export interface Environment {
  service: 'running' | 'starting' | 'stopped';
  /** The running process of the embedded engine. */
  running: RunningService | null;
  dataDir: DataDirState | null;
  checks: Check[];
  ports: PortState[];
  portChecks: Check[];
}

/** Examines the folder of the embedded engine and the ports of its process. */
export async function examineDataDir(config: Config): Promise<Environment> {
  const found = findRunning(config.dataDir);
  const running = found === 'unknown' ? null : found;
  const service = running ? 'running' : found === null ? 'stopped' : 'starting';
  const { state, checks } = await checkDataDir(config.dataDir);
  const ports = service === 'starting' ? { ports: [], checks: [] } : await checkPorts(config, running);
  return { service, running, dataDir: state, checks, ports: ports.ports, portChecks: ports.checks };
}

/**
 * Examines the processes of a cluster by their leases. The servers answer; otherwise the operator's view would not have
 * opened.
 */
export async function examineCluster(
  tools: ClusterTools,
  stores: Pick<Stores, 'leases' | 'settings'>,
  now: number,
): Promise<Environment> {
  const living = (await stores.leases.list()).filter(
    ({ name, owner, expiresAt }) => name.startsWith(PROCESS_LEASES) && owner !== null && expiresAt > now,
  );
  const views = await tools.topics();
  const topics = views.flatMap(({ differences }) => differences);
  const collections = (await tools.collections()).flatMap(({ differences }) => differences);
  const isRunning = living.length > 0;
  const checks: Check[] = [
    {
      check: 'service',
      status: isRunning ? 'ok' : 'note',
      detail: `${counted(living.length, 'process', 'processes')} running`,
    },
    differing('topics', topics),
    differing('indexes', collections),
    checkMarker(views),
    ...(isRunning ? [checkReaders(await tools.unreadPartitions())] : []),
    ...(await checkAgreement(stores, await tools.skew(), now)),
  ];
  const service = isRunning ? 'running' : 'stopped';
  return { service, running: null, dataDir: null, checks, ports: [], portChecks: [] };
}

const checkReaders = (unread: readonly string[]): Check =>
  unread.length === 0
    ? { check: 'readers', status: 'ok', detail: 'every partition has a consumer' }
    : { check: 'readers', status: 'wrong', detail: unread.join('. ') };

const differing = (check: string, differences: readonly string[]): Check =>
  differences.length === 0
    ? { check, status: 'ok', detail: 'as expected' }
    : { check, status: 'wrong', detail: differences.join(' ') };
