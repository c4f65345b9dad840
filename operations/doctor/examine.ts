import { SHARD_TOPIC } from '../../domain/queue/shards';
import { formatDuration } from '../../lib/duration';
import type { Lease } from '../../stores/ports/lease-store';
import { SCHEMA_VERSION } from '../../stores/shared/data-file';
import type { Operator } from '../definition/operator';
import type { RunningService } from '../installation/running-file';
import { VERSION } from '../../lib/version';
import type { Check } from './check';
import type { DataDirState } from './check-data-dir';
import { checkClock } from './check-clock';
import { checkDemo } from './check-demo';
import { checkJourneys } from './check-journeys';
import { checkLeases } from './check-leases';
import { checkLog, type GroupState } from './check-log';
import { checkBlocked } from './check-blocked';
import type { PortState } from './check-ports';
import { checkRelay } from './check-relay';
import { checkPostfixLog, checkPublicUrl, checkSendingServers } from './check-sending-server';
import { checkStore } from './check-store';
import { checkWebhooks } from './check-webhooks';
import { overdueRows, type OverdueRow } from './overdue-rows';
import { examineCluster, examineDataDir } from './environment';

/** Everything an examination found. */
export interface Examination {
  service: 'running' | 'starting' | 'stopped';
  checks: Check[];
  overdue: OverdueRow[];
  groups: GroupState[];
  leases: Lease[];
  parked: number;
  /** Null on the cluster engine. */
  dataDir: DataDirState | null;
  ports: PortState[];
  versions: { kurir: string; node: string; schema: number; service: string | null };
  /** ms */
  now: number;
}

/**
 * Checks everything that can get stuck or be in the way. Writes one lease of its own and nothing else. Returns at most
 * `limit` overdue rows of each kind.
 */
export async function examine(operator: Operator, limit: number, onWorkspace?: () => void): Promise<Examination> {
  const { config, stores, log, clock, tools } = operator;
  const now = clock.now();
  const around = config.cluster
    ? await examineCluster(await tools.cluster(config.cluster), stores, now)
    : await examineDataDir(config);
  const { service, running } = around;
  const isRunning = service === 'running';
  const leases = await checkLeases(stores.leases, operator.log.partitions().count(SHARD_TOPIC), now, isRunning);
  const groups = await checkLog(log, now, isRunning);
  const overdue = await overdueRows(stores, now, limit, onWorkspace);
  const checks = [
    ...(config.cluster ? [] : [checkService(service, running, now)]),
    ...(await checkSecret(operator)),
    ...around.checks,
    await checkStore(stores.leases, now),
    ...around.portChecks,
    ...(await checkRelay(config, around.running)),
    ...(await checkSendingServers(config)),
    ...(await checkPostfixLog(config)),
    ...checkPublicUrl(config),
    ...(await checkDemo(stores, config)),
    ...checkVersions(running),
    await checkClock(stores.setBack, now),
    ...leases.checks,
    ...groups.checks,
    ...(await checkWebhooks(stores)),
    ...(await checkBlocked(stores, now)),
    ...(await checkJourneys(stores, now, isRunning)),
    checkOverdue(overdue),
  ];
  return {
    service,
    checks,
    overdue,
    groups: groups.groups,
    leases: leases.leases,
    parked: groups.parked,
    dataDir: around.dataDir,
    ports: around.ports,
    versions: {
      kurir: VERSION,
      node: process.versions.node,
      schema: SCHEMA_VERSION,
      service: running?.version ?? null,
    },
    now,
  };
}

function checkService(service: Examination['service'], running: RunningService | null, now: number): Check {
  if (!running) return { check: 'service', status: 'note', detail: service };
  const since = formatDuration(now - running.startedAt);
  return { check: 'service', status: 'ok', detail: `running for ${since}, process ${running.pid}` };
}

async function checkSecret(operator: Operator): Promise<Check[]> {
  try {
    await operator.keyring();
    return [];
  } catch (error) {
    return [{ check: 'secret', status: 'wrong', detail: (error as Error).message }];
  }
}

const OLDEST_NODE = [20, 19] as const;

function checkVersions(running: RunningService | null): Check[] {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const old = major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]);
  const mixed = running !== null && running.version !== VERSION;
  const detail = `kurir ${VERSION}, Node ${process.versions.node}, schema ${SCHEMA_VERSION}`;
  return [
    {
      check: 'versions',
      status: old ? 'wrong' : 'ok',
      detail: old ? `${detail}: upgrade to Node 20.19 or newer` : detail,
    },
    ...(mixed
      ? [
          {
            check: 'versions',
            status: 'wrong',
            detail: `the service runs version ${running.version}: restart it`,
          } as const,
        ]
      : []),
  ];
}

function checkOverdue(rows: readonly OverdueRow[]): Check {
  if (rows.length === 0) return { check: 'deadlines', status: 'ok', detail: 'no overdue messages' };
  const owners = new Map<string, number>();
  for (const { owner } of rows) owners.set(owner, (owners.get(owner) ?? 0) + 1);
  const detail = [...owners].map(([owner, count]) => `${count} of ${owner}`).join(', ');
  return { check: 'deadlines', status: 'wrong', detail: `overdue messages: ${detail}` };
}
