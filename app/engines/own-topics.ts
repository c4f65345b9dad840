import type { InstallationMarker } from '../../streams/drivers/kafka/installation-marker';
import type { ClusterConfig } from '../../operations/config/cluster-config';
import { StartError } from '../../lib/start-error';

/**
 * Two installations on one prefix would take each other's records: mail stands still, and coins are booked into the
 * wrong ledger. Throws StartError when the topics carry the marker of another installation. `mine` is the id in the
 * store; undefined when the store has none yet.
 */
export function checkTopicsAreOurs(
  { kafka, mongo }: Pick<ClusterConfig, 'kafka' | 'mongo'>,
  mine: string | undefined,
  found: InstallationMarker | null,
): void {
  const fault = topicsOfAnother({ kafka, mongo }, mine, found);
  if (fault !== null) throw new StartError(fault);
}

/** Why the topics are not those of this installation, as sentences; null when they are, or carry no marker. */
export function topicsOfAnother(
  { kafka: { prefix }, mongo: { database } }: Pick<ClusterConfig, 'kafka' | 'mongo'>,
  mine: string | undefined,
  found: InstallationMarker | null,
): string | null {
  if (!found || found.installation === mine) return null;
  const other = found.database === database ? 'an earlier one of that name' : `"${found.database}"`;
  return (
    `The topics with the prefix ${prefix} (KURIR_KAFKA_PREFIX) belong to another installation: they were made for the database ${other}, ` +
    `and this is "${database}" (MONGODB_DATABASE). Two installations on one prefix would take each other's records. ` +
    'Use a different KURIR_KAFKA_PREFIX, or set MONGODB_DATABASE to the database of these topics. ' +
    'If that database is gone, delete the topics with this prefix; the next start creates them again.'
  );
}
