import type { Mongo } from '../../stores/mongodb/database/client';
import { documents } from '../../stores/mongodb/database/documents';
import { leaseStore } from '../../stores/mongodb/queue/lease-store';
import { settingsStore } from '../../stores/mongodb/settings/settings-store';
import type { KafkaAdmin } from '../../streams/drivers/kafka/kafka-admin';
import { MINUTE } from '../../lib/clock';
import { describeProcess, leasedProcesses } from '../../operations/processes/older-processes';
import type { Move } from '../../operations/installation/installation-views';
import type { ClusterConfig } from '../../operations/config/cluster-config';
import { checkTopicsAreOurs } from './own-topics';
import { StartError } from '../../lib/start-error';

export interface MoveParts {
  mongo: Mongo;
  /** The admin of the topics with a prefix; the caller closes it. */
  topics: (prefix: string) => KafkaAdmin;
  /** By the store's clock, ms. */
  now: number;
}

/**
 * Binds the installation to the topics of KURIR_KAFKA_PREFIX. Throws StartError, and changes nothing, while a process
 * of it runs, while records of the old topics are unread, and when the new topics belong to another installation.
 */
export async function moveTopics(config: ClusterConfig, { mongo, topics, now }: MoveParts): Promise<Move> {
  const settings = settingsStore(mongo);
  const to = config.kafka.prefix;
  const from = (await settings.get('topic_prefix')) as string | undefined;
  if (from === undefined || from === to) return null;
  const mine = (await settings.get('installation_id')) as string | undefined;
  checkTopicsAreOurs(config, mine, await topics(to).marker());
  await refuseRunning(mongo, now);
  await refuseUnread(topics(from), from);
  if (!(await settings.replace('topic_prefix', from, to))) {
    throw new StartError('Another command has just moved this installation. Check it with kurir topics list.');
  }
  try {
    // Again: one that started meanwhile has its lease by now, or takes it and then sees the new prefix and ends.
    await refuseRunning(mongo, now);
  } catch (error) {
    await settings.replace('topic_prefix', to, from);
    throw error;
  }
  // Positions in the old topics mean nothing in the new ones.
  await documents(mongo.db, 'groupStarts').deleteMany({});
  return { from, to };
}

/** As far as the clock of a process that may act can be behind, ms. */
const CLOCKS_DIFFER = MINUTE;

async function refuseRunning(mongo: Mongo, now: number): Promise<void> {
  const leased = await leasedProcesses({ settings: settingsStore(mongo), leases: leaseStore(mongo) });
  const running = leased.filter(({ expiresAt }) => expiresAt > now - CLOCKS_DIFFER).map(describeProcess);
  if (running.length === 0) return;
  throw new StartError(
    `These processes are running on the database: ${running.join(', ')}. Stop them first; a killed process counts for another minute.`,
  );
}

async function refuseUnread(admin: KafkaAdmin, prefix: string): Promise<void> {
  const reports = await admin.describeTopics();
  const unread = reports.flatMap(({ name, groups }) =>
    groups.filter(({ lag }) => lag > 0).map(({ group, lag }) => `${lag} of ${name} by ${group}`),
  );
  if (unread.length === 0) return;
  throw new StartError(
    `Records of the old topics are unread: ${unread.join(', ')}. Start the service with KURIR_KAFKA_PREFIX=${prefix} until \`kurir topics list\` shows no lag, stop it, and run the command again.`,
  );
}
