import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Admin } from 'kafkajs';
import pino from 'pino';
import { AdvancingClock } from '../../lib/advancing-clock';
import { readConfig } from '../../operations/config/config';
import type { ClusterConfig } from '../../operations/config/cluster-config';
import { openCluster, type ClusterEngine } from '../../app/engines/open-cluster';
import { openClusterAudit } from '../../app/engines/open-cluster-audit';
import type { Clock } from '../../lib/clock';
import { withKafka, withMongo } from './cluster/clients';
import { deleteTopics } from './cluster/delete-topics';
import type { Installation } from './installation';
import { SECRET } from './seed';

/** The addresses of the real servers: `host:port,host:port`, a mongodb:// URL, a redis:// URL. */
export interface ServerUrls {
  kafka: string;
  mongodb: string;
  redis: string;
}

/** An installation on the cluster engine. Its database and topics carry the name: letters, digits and `_`. */
export function clusterInstallation(urls: ServerUrls, name: string): Installation {
  // The sandbox keeps its mail in a file.
  const dataDir = join(tmpdir(), name);
  const env = {
    KURIR_ENGINE: 'cluster',
    KAFKA_BROKERS: urls.kafka,
    MONGODB_URL: urls.mongodb,
    REDIS_URL: urls.redis,
    MONGODB_DATABASE: name,
    KURIR_KAFKA_PREFIX: `${name}.`,
    KURIR_SECRET: SECRET,
    KURIR_DATA_DIR: dataDir,
  };
  let opened = false;
  return {
    engine: 'cluster',
    env,
    // Only the first creates what is missing: a scenario may change the topics so that a start refuses them.
    open: (clock = new AdvancingClock()) => {
      const first = !opened;
      opened = true;
      return openData(env, clock, first);
    },
    audit: () => openClusterAudit(clusterOf(env)),
    remove: async () => {
      opened = false;
      await withMongo(env, (client) => client.db(name).dropDatabase());
      await withKafka(env, deleteAll);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

type Env = Installation['env'];

function clusterOf(env: Env): ClusterConfig {
  const { cluster } = readConfig(env);
  if (!cluster) throw new Error('These variables do not configure the cluster engine.');
  return cluster;
}

function openData(env: Env, clock: Clock, serve: boolean): Promise<ClusterEngine> {
  const { signal } = new AbortController();
  const logger = pino({ level: 'silent' });
  return openCluster(clusterOf(env), { clock, logger, serve, signal, onWait: () => undefined });
}

async function deleteAll(admin: Admin, prefix: string): Promise<void> {
  const ours = (name: string): boolean => name.startsWith(prefix);
  const { groups } = await admin.listGroups();
  // The group of a killed process keeps its member until the session ends. Without topics the group does no harm.
  await admin.deleteGroups(groups.map(({ groupId }) => groupId).filter(ours)).catch(() => undefined);
  await deleteTopics(admin, ours);
}
