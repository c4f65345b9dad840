import { runAudit } from '../../../../operations/audit/run-audit';
import type { Difference } from '../../../../domain/audit/difference';
import { openMongoAudit } from '../../../../stores/mongodb/audit/audit-source';
import type { Mongo } from '../../../../stores/mongodb/database/client';
import type { LogView } from '../../../../streams/log-view';
import { evenCounts, Partitions } from '../../../../streams/partitions';

/** A log that nothing ever reached. */
export const EMPTY: LogView = {
  groupPositions: async () => [],
  async *between() {},
  async *all() {},
  partitions: () => new Partitions(evenCounts(1)),
};

/** What the audit finds in the database, beside an empty log. */
export async function findingsIn({ db }: Mongo, url: string): Promise<Difference[]> {
  const source = await openMongoAudit({ url, database: db.databaseName }, EMPTY);
  const found: Difference[] = [];
  await runAudit(source, { onDifference: (difference) => found.push(difference), patience: 0 });
  await source.close();
  return found;
}
