import type { LedgerEntry } from '../../../domain/ledger/coins';
import { decodeRecord } from '../../../streams/decode-record';
import type { WorkspaceSnapshot } from '../../ports/audit-source';
import { toAccount, type BalanceRow } from '../ledger/coin-ledger';
import { logTable } from '../database/schema';
import { LOG_COLUMNS, toRecord, type LogRow } from '../log/read-rows';
import { claimPages, keyPages, ledgerPages, penaltyPages } from './account-pages';
import { campaignPages } from './campaign-pages';
import { conversionSnapshot } from './conversion-pages';
import { enrolmentPages } from './enrolment-pages';
import { listPages } from './list-pages';
import { engagementPages } from './engagement-pages';
import { messagePages } from './message-pages';
import type { ReadOnlyFile } from './read-only-file';
import { webhookSnapshot } from './webhook-pages';

const PAGE = 1_000;

/** The parts of a workspace. Read them while the file is on hold (ReadOnlyFile.hold). */
export const workspaceSnapshot = (file: ReadOnlyFile, workspaceId: number): WorkspaceSnapshot => ({
  coins: {
    account: async () =>
      toAccount(workspaceId, file.get<BalanceRow>('SELECT * FROM balances WHERE workspace_id = ?', workspaceId)),
    ledger: () => ledgerPages(file, workspaceId),
    penalties: () => penaltyPages(file, workspaceId),
    pendingEntries: async () => pendingEntries(file, workspaceId),
  },
  derived: {
    dayCounters: async () => dayCounters(file, workspaceId),
    engagement: () => engagementPages(file, workspaceId),
    lists: () => listPages(file, workspaceId),
    // This engine uses only indexes for look-ups, which SQLite maintains itself.
    async *faults() {},
  },
  webhooks: webhookSnapshot(file, workspaceId),
  conversions: conversionSnapshot(file, workspaceId),
  exists: async () => file.get('SELECT 1 FROM workspaces WHERE id = ?', workspaceId) !== undefined,
  messages: () => messagePages(file, workspaceId),
  campaigns: () => campaignPages(file, workspaceId),
  enrolments: () => enrolmentPages(file, workspaceId),
  idempotencyKeys: () => keyPages(file, workspaceId),
  claims: () => claimPages(file, workspaceId),
  aliveUntil: async () => readAliveUntil(file),
});

/** The latest end of a lease, ms. A released lease keeps its end. */
export function readAliveUntil(file: ReadOnlyFile): number | null {
  return file.get<{ at: number | null }>('SELECT max(expires_at) AS at FROM leases')?.at ?? null;
}

/** Steps from day to day, since the key begins with the day. The cost does not grow with the number of workspaces. */
function dayCounters(file: ReadOnlyFile, workspaceId: number): Map<string, number> {
  const days = new Map<string, number>();
  for (let last = ''; ;) {
    const next = file.get<{ day: string }>('SELECT day FROM send_days WHERE day > ? ORDER BY day LIMIT 1', last);
    if (!next) return days;
    last = next.day;
    const row = file.get<{ claims: number }>(
      'SELECT claims FROM send_days WHERE day = ? AND workspace_id = ?',
      last,
      workspaceId,
    );
    if (row) days.set(last, row.claims);
  }
}

/** The entries that the coins group has yet to book for a workspace. */
function pendingEntries(file: ReadOnlyFile, workspaceId: number): Map<string, LedgerEntry> {
  const cursor = `SELECT next FROM cursors WHERE consumer = 'coins' AND topic = 'coins.entries'`;
  const entries = new Map<string, LedgerEntry>();
  const records = file.pages<LogRow>(
    PAGE,
    `SELECT ${LOG_COLUMNS} FROM ${logTable('coins.entries')} WHERE offset >= ? AND key = ? ORDER BY offset`,
    file.get<{ next: number }>(cursor)?.next ?? 0,
    String(workspaceId),
  );
  for (const page of records) {
    for (const row of page) {
      // An unreadable record, or one for another group, books nothing.
      const { record } = decodeRecord(toRecord('coins.entries', row));
      if (record && (record.forGroup ?? 'coins') === 'coins') entries.set(record.value.id, record.value);
    }
  }
  return entries;
}
