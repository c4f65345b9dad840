import { strongestReason, type SuppressionEntry, type SuppressionReason } from '../../../domain/contacts/suppression';
import type { Page } from '../../ports/page';
import type { SuppressionQuery, SuppressionStore } from '../../ports/suppression-store';
import { allRead } from '../../shared/conditions';
import { ColumnList, columns } from '../database/columns';
import type { Database } from '../database/database';
import type { Commits } from '../database/commits';

/** The workspace id of the global list; real workspaces start at 1. */
export const GLOBAL = 0;

const ENTRY = new ColumnList<SuppressionEntry>('suppressions', {
  workspaceId: {
    column: 'workspace_id',
    encode: (id) => id ?? GLOBAL,
    decode: (stored) => (stored === GLOBAL ? null : (stored as number)),
  },
  ...columns('addressHash', 'reason', 'messageId', 'createdAt'),
});

/**
 * SQL that is 1 if an address is on either list of a workspace. Two look-ups, since `IN` would build a table for each
 * row.
 */
export const suppressedSql = (workspace: string, addressHash: string): string =>
  `(EXISTS (SELECT 1 FROM suppressions WHERE workspace_id = ${GLOBAL} AND address_hash = ${addressHash})
    OR EXISTS (SELECT 1 FROM suppressions WHERE workspace_id = ${workspace} AND address_hash = ${addressHash}))`;

/** The strongest suppression reason of an address on either list, or null. */
export function readSuppression(db: Database, workspaceId: number, addressHash: string): SuppressionReason | null {
  const rows = db.all<{ reason: SuppressionReason }>(
    `SELECT reason FROM suppressions WHERE workspace_id IN (${GLOBAL}, ?) AND address_hash = ?`,
    workspaceId,
    addressHash,
  );
  return strongestReason(rows.map((row) => row.reason));
}

/** Total and page come from an index. */
function readPage(
  db: Database,
  workspaceId: number,
  { reason, offset, limit, ...left }: SuppressionQuery,
): Page<SuppressionEntry> {
  allRead(left);
  const where = `workspace_id = ?${reason === undefined ? '' : ' AND reason = ?'}`;
  const values = reason === undefined ? [workspaceId] : [workspaceId, reason];
  const { total } = db.get<{ total: number }>(`SELECT count(*) AS total FROM suppressions WHERE ${where}`, ...values)!;
  const order = `created_at DESC, address_hash DESC${reason === undefined ? ', reason DESC' : ''}`;
  const items = ENTRY.all(db, `WHERE ${where} ORDER BY ${order} LIMIT ? OFFSET ?`, ...values, limit, offset);
  return { total, items };
}

/** Embedded driver of SuppressionStore. */
export function suppressionStore(db: Database, commits: Commits): SuppressionStore {
  return {
    reason: async (workspaceId, addressHash) => readSuppression(db, workspaceId, addressHash),
    add: (entry) => commits.write(() => void ENTRY.insertNew(db, entry)),
    remove: (workspaceId, addressHash, reason) =>
      commits.write(() =>
        db.run(
          'DELETE FROM suppressions WHERE workspace_id = ? AND address_hash = ? AND reason = coalesce(?, reason)',
          workspaceId ?? GLOBAL,
          addressHash,
          reason ?? null,
        ),
      ),
    page: async (workspaceId, query) => readPage(db, workspaceId, query),
    list: async (workspaceId, limit, after) =>
      ENTRY.all(
        db,
        'WHERE workspace_id = ? AND (address_hash, reason) > (?, ?) ORDER BY address_hash, reason LIMIT ?',
        workspaceId ?? GLOBAL,
        after?.addressHash ?? '',
        after?.reason ?? '',
        limit,
      ),
  };
}
