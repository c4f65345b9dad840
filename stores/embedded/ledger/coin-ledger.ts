import { laterEnd, type CoinAccount, type LedgerEntry, type LedgerKind } from '../../../domain/ledger/coins';
import type { CoinLedger, LedgerRow, PostOutcome } from '../../ports/coin-ledger';
import type { Database } from '../database/database';
import { markStale } from '../database/data-version';
import type { Commits } from '../database/commits';
import type { ReadCache } from '../database/read-cache';

interface Row {
  seq: number;
  workspace_id: number;
  id: string;
  kind: LedgerKind;
  amount: number;
  message_id: string | null;
  at: number;
}
export interface BalanceRow {
  balance: number;
  purchased: number;
  purchase_expires_at: number | null;
}

const toRow = (row: Row): LedgerRow => ({
  id: row.id,
  workspaceId: row.workspace_id,
  kind: row.kind,
  amount: row.amount,
  messageId: row.message_id,
  at: row.at,
});

/** The cache key of an account. */
export const accountKey = (workspaceId: number): string => `account ${workspaceId}`;

/** Reads the coin account, inside or outside a transaction. */
export function readAccount(db: Database, workspaceId: number): CoinAccount {
  return toAccount(workspaceId, db.get<BalanceRow>('SELECT * FROM balances WHERE workspace_id = ?', workspaceId));
}

/** Converts a row to a CoinAccount. An account without a row has no coins. */
export function toAccount(workspaceId: number, row: BalanceRow | undefined): CoinAccount {
  if (!row) return { workspaceId, balance: 0 };
  const account: CoinAccount = { workspaceId, balance: row.balance };
  if (row.purchased === 1) account.purchase = { expiresAt: row.purchase_expires_at };
  return account;
}

/** Appends a row to the ledger without changing the balance; must run inside a transaction. Throws on a repeated id. */
export function appendLedger(db: Database, entry: LedgerEntry): void {
  db.run(
    'INSERT INTO ledger (workspace_id, id, kind, amount, message_id, at) VALUES (?, ?, ?, ?, ?, ?)',
    entry.workspaceId,
    entry.id,
    entry.kind,
    entry.amount,
    entry.messageId,
    entry.at,
  );
}

/** Changes the balance; must run inside the transaction that appends the rows. */
export function moveBalance(db: Database, workspaceId: number, amount: number): void {
  db.run(
    `INSERT INTO balances (workspace_id, balance, purchased) VALUES (?1, ?2, 0)
     ON CONFLICT (workspace_id) DO UPDATE SET balance = balance + ?2`,
    workspaceId,
    amount,
  );
}

function notePurchase(db: Database, entry: LedgerEntry): void {
  if (!entry.purchase) return;
  db.run(
    'UPDATE balances SET purchased = 1, purchase_expires_at = ? WHERE workspace_id = ?',
    laterEnd(readAccount(db, entry.workspaceId).purchase, entry.purchase.expiresAt),
    entry.workspaceId,
  );
}

/** False if a row of the same gate was booked less than the window ago. */
function passGate(db: Database, { workspaceId, gate, at }: LedgerEntry): boolean {
  if (!gate) return true;
  const last = db.get<{ at: number }>('SELECT at FROM gates WHERE workspace_id = ? AND key = ?', workspaceId, gate.key);
  if (last && at < last.at + gate.windowMs) return false;
  db.run('INSERT OR REPLACE INTO gates (workspace_id, key, at) VALUES (?, ?, ?)', workspaceId, gate.key, at);
  return true;
}

function post(db: Database, entry: LedgerEntry): PostOutcome {
  const found = db.get('SELECT 1 FROM ledger WHERE workspace_id = ? AND id = ?', entry.workspaceId, entry.id);
  if (found) return 'exists';
  if (!passGate(db, entry)) return 'gated';
  appendLedger(db, entry);
  moveBalance(db, entry.workspaceId, entry.amount);
  markStale(db);
  notePurchase(db, entry);
  return 'posted';
}

/** Embedded driver of CoinLedger. */
export function coinLedger(db: Database, commits: Commits, accounts: ReadCache): CoinLedger {
  return {
    account: async (workspaceId) => accounts.get(accountKey(workspaceId), () => readAccount(db, workspaceId)),
    post: (entry) =>
      commits.write(() => {
        accounts.forget(accountKey(entry.workspaceId));
        return post(db, entry);
      }),
    // The row ids of a message start with one of three prefixes, so the unique key can be used and no index is needed.
    ofMessage: async (workspaceId, messageId) =>
      ['debit', 'refund', 'penalty']
        .flatMap((kind) =>
          db.all<Row>(
            'SELECT * FROM ledger WHERE workspace_id = ?1 AND id >= ?2 AND id < ?3',
            workspaceId,
            `${kind}:${messageId}`,
            `${kind}:${messageId};`,
          ),
        )
        .sort((a, b) => a.at - b.at || a.seq - b.seq)
        .map(toRow),
    newest: async (workspaceId, limit, before) =>
      db
        .all<Row>(
          'SELECT * FROM ledger WHERE workspace_id = ? AND seq < ? ORDER BY seq DESC LIMIT ?',
          workspaceId,
          before ?? Number.MAX_SAFE_INTEGER,
          limit,
        )
        .map((row) => ({ ...toRow(row), seq: row.seq })),
    rows: async (workspaceId, after, limit) =>
      db
        .all<Row>(
          'SELECT * FROM ledger WHERE workspace_id = ? AND seq > ? ORDER BY seq LIMIT ?',
          workspaceId,
          after,
          limit,
        )
        .map((row) => ({ ...toRow(row), seq: row.seq })),
  };
}
