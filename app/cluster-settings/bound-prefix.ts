import type { SettingsStore } from '../../stores/ports/settings-store';
import type { ClusterConfig } from '../../operations/config/cluster-config';
import { StartError } from '../../lib/start-error';

type Names = Pick<ClusterConfig, 'kafka' | 'mongo'>;

/**
 * Processes with two prefixes on one database would each miss the other's records. Throws OtherPrefixError when the
 * installation in this database is bound to the topics of another prefix
 * (docs/decisions/0037-an-installation-has-an-id.md).
 */
export async function checkPrefix(settings: Pick<SettingsStore, 'get'>, config: Names): Promise<void> {
  refuseOther((await settings.get('topic_prefix')) as string | undefined, config);
}

/** Binds the installation to the prefix at its first start. Throws OtherPrefixError when it is bound to another. */
export async function bindPrefix(settings: Pick<SettingsStore, 'setOnce'>, config: Names): Promise<void> {
  refuseOther((await settings.setOnce('topic_prefix', config.kafka.prefix)) as string, config);
}

/** The installation belongs to the topics of another prefix. */
export class OtherPrefixError extends StartError {}

function refuseOther(bound: string | undefined, config: Names): void {
  const fault = boundElsewhere(bound, config);
  if (fault !== null) throw new OtherPrefixError(fault);
}

/** Why processes with this configuration may not use the database, as sentences; null when they may. */
export function boundElsewhere(
  bound: string | undefined,
  { kafka: { prefix }, mongo: { database } }: Names,
): string | null {
  if (bound === undefined || bound === prefix) return null;
  return (
    `The database "${database}" (MONGODB_DATABASE) belongs to the topics with the prefix ${bound}, but KURIR_KAFKA_PREFIX is ${prefix}. ` +
    "Processes with different prefixes on one database would miss each other's records. " +
    `Set KURIR_KAFKA_PREFIX to ${bound}, or stop all processes and move the installation: kurir topics move.`
  );
}
