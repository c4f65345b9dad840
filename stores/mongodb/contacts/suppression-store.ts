import { strongestReason, type SuppressionEntry } from '../../../domain/contacts/suppression';
import type { Page } from '../../ports/page';
import type { SuppressionQuery, SuppressionStore } from '../../ports/suppression-store';
import { allRead } from '../../shared/conditions';
import { upsert } from '../database/writes';
import type { Mongo } from '../database/client';
import { documents, type SuppressionDocument } from '../database/documents';
import { guarded } from '../transactions/guard';
import { inSnapshot } from '../transactions/snapshot';

/** The workspace of the global list; real ones start at 1. */
export const GLOBAL = 0;

const toEntry = ({ _id, workspaceId, ...entry }: SuppressionDocument): SuppressionEntry => ({
  ...entry,
  workspaceId: workspaceId === GLOBAL ? null : workspaceId,
});

/** MongoDB driver of SuppressionStore. */
export function suppressionStore(mongo: Mongo): SuppressionStore {
  const suppressions = documents(mongo.db, 'suppressions');
  return guarded<SuppressionStore>({
    reason: async (workspaceId, addressHash) => {
      const found = await suppressions
        .find({ workspaceId: { $in: [GLOBAL, workspaceId] }, addressHash }, { projection: { _id: 0, reason: 1 } })
        .toArray();
      return strongestReason(found.map(({ reason }) => reason));
    },
    add: ({ workspaceId, addressHash, reason, messageId, createdAt }) =>
      upsert(
        suppressions,
        { workspaceId: workspaceId ?? GLOBAL, addressHash, reason },
        { $setOnInsert: { messageId, createdAt } },
      ),
    remove: async (workspaceId, addressHash, reason) => {
      const { deletedCount } = await suppressions.deleteMany({
        workspaceId: workspaceId ?? GLOBAL,
        addressHash,
        ...(reason === undefined ? {} : { reason }),
      });
      return deletedCount;
    },
    page: (workspaceId, query) => readPage(mongo, workspaceId, query),
    list: async (workspaceId, limit, after) => {
      const list = { workspaceId: workspaceId ?? GLOBAL };
      const page = suppressions
        .find(after ? { $or: pastOf(list, after) } : list)
        .sort({ workspaceId: 1, addressHash: 1, reason: 1 })
        .limit(limit);
      return (await page.toArray()).map(toEntry);
    },
  });
}

/** The total and the page are from one moment, and in order of an index. */
function readPage(
  mongo: Mongo,
  workspaceId: number,
  { reason, offset, limit, ...left }: SuppressionQuery,
): Promise<Page<SuppressionEntry>> {
  allRead(left);
  const filter = { workspaceId, ...(reason && { reason }) };
  const hint = reason ? 'suppressions_by_reason' : 'suppressions_in_order';
  return inSnapshot(mongo, async ({ db, moment }) => {
    const suppressions = documents(db, 'suppressions');
    const total = await suppressions.countDocuments(filter, { ...moment, hint });
    if (offset >= total) return { total, items: [] };
    const page = suppressions
      .find(filter, { ...moment, hint })
      .sort({ createdAt: -1, addressHash: -1, ...(!reason && { reason: -1 }) })
      .skip(offset)
      .limit(limit);
    return { total, items: (await page.toArray()).map(toEntry) };
  });
}

/** Each branch is a range of the index. */
function pastOf(list: { workspaceId: number }, { addressHash, reason }: { addressHash: string; reason: string }) {
  return [
    { ...list, addressHash: { $gt: addressHash } },
    { ...list, addressHash, reason: { $gt: reason as SuppressionEntry['reason'] } },
  ];
}
