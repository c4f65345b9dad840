import { compareCoins, findUnbooked } from '../../domain/audit/message-coins';
import type { MessageRecord } from '../../domain/audit/message-record';
import type { LedgerEntry } from '../../domain/ledger/coins';
import type { SnapshotWithLog } from '../../stores/ports/audit-source';
import { decodeRecord } from '../../streams/decode-record';
import type { AuditFindings } from './audit-findings';

/** Checks the coins of messages. Reads the entries on their way to the ledger only when a first row is missing. */
export class MessageCoins {
  private pending: ReadonlyMap<string, LedgerEntry> | null = null;

  constructor(
    private readonly rows: SnapshotWithLog,
    private readonly workspaceId: number,
    private readonly findings: AuditFindings,
  ) {}

  /** Returns the coins the message accounts for in the balance, judged by its own facts. */
  async check(record: MessageRecord): Promise<number> {
    const { owed, missing, differences } = compareCoins(record);
    this.findings.report(differences);
    if (missing.length === 0) return owed;
    this.pending ??= await pendingEntries(this.rows, this.workspaceId);
    const unbooked = findUnbooked(record.message.id, missing, this.pending);
    this.findings.report(unbooked.differences);
    return owed - unbooked.onTheirWay;
  }
}

/**
 * The entries, by id, that the coins group has yet to book for a workspace. Some may already be booked. Memory use
 * grows with the work that the group still has to do.
 */
export async function pendingEntries(rows: SnapshotWithLog, workspaceId: number): Promise<Map<string, LedgerEntry>> {
  const entries = new Map<string, LedgerEntry>();
  for await (const stored of rows.pending('coins', 'coins.entries', String(workspaceId))) {
    // An unreadable record, or one for another group, books nothing.
    const { record } = decodeRecord({ ...stored, topic: 'coins.entries' });
    if (record && (record.forGroup ?? 'coins') === 'coins') entries.set(record.value.id, record.value);
  }
  return entries;
}
