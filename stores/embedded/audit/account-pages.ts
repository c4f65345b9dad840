import type { LedgerRecord } from '../../../domain/audit/check-ledger-row';
import type { PenaltyRecord } from '../../../domain/audit/check-penalties';
import { PenaltyGroups, type PenaltyGroup } from '../../../domain/audit/penalty-groups';
import type { KeyRecord } from '../../../domain/audit/idempotency-check';
import { toBooked, type LedgerColumns } from './message-pages';
import type { ReadOnlyFile } from './read-only-file';

const PAGE = 1_000;

/** The ledger of a workspace in booking order. */
export async function* ledgerPages(file: ReadOnlyFile, workspaceId: number): AsyncGenerator<LedgerRecord[]> {
  type Row = LedgerColumns & { seq: number; message_workspace_id: number | null };
  for (let after = 0; ;) {
    const rows = file.all<Row>(
      `SELECT l.seq, l.workspace_id, l.id, l.kind, l.amount, l.message_id, l.at, m.workspace_id AS message_workspace_id
       FROM ledger l LEFT JOIN messages m ON m.id = l.message_id
       WHERE l.workspace_id = ? AND l.seq > ? ORDER BY l.seq LIMIT ?`,
      workspaceId,
      after,
      PAGE,
    );
    const last = rows.at(-1);
    if (!last) return;
    yield rows.map((row) => ({ ...toBooked(row), messageWorkspaceId: row.message_workspace_id }));
    after = last.seq;
  }
}

const PENALTY = 'penalty:';

/** The penalties of forced sends by address and reason, then the gates without a penalty. */
export async function* penaltyPages(file: ReadOnlyFile, workspaceId: number): AsyncGenerator<PenaltyRecord[]> {
  const close = ([key, booked]: PenaltyGroup): PenaltyRecord => {
    const gate = file.get<{ at: number }>('SELECT at FROM gates WHERE workspace_id = ? AND key = ?', workspaceId, key);
    return { workspaceId, key, gateAt: gate?.at ?? null, booked: booked.sort((a, b) => a - b) };
  };
  const rows = file.pages<{ id: string; at: number }>(
    PAGE,
    `SELECT id, at FROM ledger WHERE workspace_id = ? AND id >= '${PENALTY}' AND id < 'penalty;' AND message_id IS NULL
     ORDER BY id`,
    workspaceId,
  );
  const groups = new PenaltyGroups();
  for (const page of rows) yield groups.add(page).map(close);
  yield groups.end().map(close);
  yield* idleGates(file, workspaceId);
}

async function* idleGates(file: ReadOnlyFile, workspaceId: number): AsyncGenerator<PenaltyRecord[]> {
  const gates = file.pages<{ key: string; at: number }>(
    PAGE,
    `SELECT g.key, g.at FROM gates g WHERE g.workspace_id = ?1 AND NOT EXISTS
       (SELECT 1 FROM ledger l WHERE l.workspace_id = ?1
          AND l.id >= '${PENALTY}' || g.key || ':' AND l.id < '${PENALTY}' || g.key || ';')`,
    workspaceId,
  );
  for (const page of gates) yield page.map(({ key, at }) => ({ workspaceId, key, gateAt: at, booked: [] }));
}

/** The idempotency keys of a workspace. Keys of the same message are adjacent. */
export async function* keyPages(file: ReadOnlyFile, workspaceId: number): AsyncGenerator<KeyRecord[]> {
  type Row = { key: string; message_id: string | null; message_workspace_id: number | null };
  const rows = file.pages<Row>(
    PAGE,
    `SELECT i.key, m.id AS message_id, m.workspace_id AS message_workspace_id
     FROM idempotency i LEFT JOIN messages m ON m.seq = i.seq WHERE i.workspace_id = ? ORDER BY i.seq`,
    workspaceId,
  );
  for (const page of rows) {
    yield page.map((row) => ({
      workspaceId,
      key: row.key,
      messageId: row.message_id,
      messageWorkspaceId: row.message_workspace_id,
    }));
  }
}

/** Claim times of every attempt that names the workspace, ms, ascending. */
export async function* claimPages(file: ReadOnlyFile, workspaceId: number): AsyncGenerator<number[]> {
  const sql = 'SELECT claimed_at FROM attempts WHERE workspace_id = ? ORDER BY claimed_at';
  for (const page of file.pages<{ claimed_at: number }>(PAGE, sql, workspaceId)) {
    yield page.map((row) => row.claimed_at);
  }
}
