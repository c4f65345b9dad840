import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AdvancingClock } from '../../lib/advancing-clock';
import type { Role } from '../../operations/config/roles';
import { clusterInstallation } from '../crash/cluster-installation';
import type { Installation } from '../crash/installation';
import { SECRET } from '../crash/seed';
import { clusterServers } from './cluster-servers';
import { startHelper, type Helper } from './helper';
import { seedWorkspaces, type SeededSender } from './seed';
import { type Service, startService } from './service';

type Env = Readonly<Record<string, string | undefined>>;

/** Everything a part needs to measure the cluster engine. */
export interface ClusterStage {
  /** Folder for logs and data of the parts; deleted afterwards. */
  folder: string;
  /** Seeded premium workspaces. Each is used once, since a used one has spent its rate. */
  takeSenders: (count: number) => SeededSender[];
  load: Helper<'load'>;
  sink: Helper<'sink'>;
  sinkPort: number;
  /** Starts a cluster process with these roles, null = all. It is stopped afterwards when it still runs. */
  start(roles: readonly Role[] | null, connections: number, env?: Record<string, string>): Promise<Service>;
  /** The data that the processes run on. */
  installation: Pick<Installation, 'env' | 'open'>;
}

/** Base URL of links that are never followed. */
const PUBLIC_URL = 'https://bench.example';

/** Sets up an installation with its own database and topics, runs `play`, and removes everything. */
export async function withCluster<T>(
  env: Env,
  workspaces: number,
  play: (stage: ClusterStage) => Promise<T>,
): Promise<T> {
  const installation = clusterInstallation(clusterServers(env), `kurir_bench_${randomBytes(4).toString('hex')}`);
  const folder = mkdtempSync(join(tmpdir(), 'kurir-bench-'));
  const clear = (): void => rmSync(folder, { recursive: true, force: true });
  process.once('exit', clear);
  const roles = { load: startHelper('load'), sink: startHelper('sink') };
  const services: Service[] = [];
  try {
    const senders = await seedInstallation(installation, workspaces);
    const sinkPort = await roles.sink.call('listen', undefined);
    const start: ClusterStage['start'] = async (named, connections, more = {}) => {
      const settings = {
        ...installation.env,
        ...more,
        ...(named ? { KURIR_ROLES: named.join(','), KURIR_PUBLIC_URL: PUBLIC_URL } : {}),
      };
      const name = `service-${services.length}`;
      const service = await startService({ folder, name, env: settings, mtaPort: sinkPort, connections });
      services.push(service);
      return service;
    };
    const takeSenders = (count: number): SeededSender[] => senders.splice(0, count);
    return await play({ folder, takeSenders, ...roles, sinkPort, start, installation });
  } finally {
    await Promise.all(services.map((service) => service.stop()));
    for (const role of Object.values(roles)) role.stop();
    await installation.remove();
    clear();
  }
}

async function seedInstallation(
  installation: ReturnType<typeof clusterInstallation>,
  workspaces: number,
): Promise<SeededSender[]> {
  const clock = new AdvancingClock();
  const engine = await installation.open(clock);
  try {
    return await seedWorkspaces({ stores: engine.stores, clock, secret: SECRET }, workspaces);
  } finally {
    await engine.close();
  }
}
