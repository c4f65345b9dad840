import { laterEnd, type CoinAccount, type LedgerEntry } from '../../../domain/ledger/coins';
import type { CoinLedger, LedgerRow, PostOutcome } from '../../ports/coin-ledger';
import { ColumnList, columns, flagColumn } from '../database/columns';
import type { Database } from '../database/database';
import { markStale } from '../database/data-version';
import type { Commits } from '../database/commits';
import type { ReadCache } from '../database/read-cache';
import { lookAtOnce } from '../database/wake-at-once';

const ROW = new ColumnList<LedgerRow & { seq: number }>(
  'ledger',
  columns('seq', 'id', 'workspaceId', 'kind', 'amount', 'messageId', 'at'),
);
const NEW = ROW.without('seq');

interface Balance {
  workspaceId: number;
  balance: number;
  purchased: boolean;
  purchaseExpiresAt: number | null;
}
const BALANCE = new ColumnList<Balance>('balances', {
  ...columns('workspaceId', 'balance', 'purchaseExpiresAt'),
  purchased: flagColumn('purchased'),
});
const GATE = new ColumnList<{ workspaceId: number; key: string; at: number }>(
  'gates',
  columns('workspaceId', 'key', 'at'),
);

/** The cache key of an account. */
export const accountKey = (workspaceId: number): string => `account ${workspaceId}`;

/** Reads the coin account, inside or outside a transaction. An account without a row has no coins. */
export function readAccount(db: Database, workspaceId: number): CoinAccount {
  const row = BALANCE.get(db, 'WHERE workspace_id = ?', workspaceId);
  const account: CoinAccount = { workspaceId, balance: row?.balance ?? 0 };
  if (row?.purchased) account.purchase = { expiresAt: row.purchaseExpiresAt };
  return account;
}

/** Appends a row to the ledger without changing the balance; must run inside a transaction. Throws on a repeated id. */
export function appendLedger(db: Database, entry: LedgerRow): void {
  NEW.insert(db, entry);
}

/** Changes the balance; must run inside the transaction that appends the rows. */
export function moveBalance(db: Database, workspaceId: number, amount: number): void {
  const opened = { workspaceId, balance: amount, purchased: false, purchaseExpiresAt: null };
  BALANCE.upsert(db, 'DO UPDATE SET balance = balance + excluded.balance', opened);
}

function notePurchase(db: Database, entry: LedgerEntry): void {
  if (!entry.purchase) return;
  db.run(
    'UPDATE balances SET purchased = 1, purchase_expires_at = ? WHERE workspace_id = ?',
    laterEnd(readAccount(db, entry.workspaceId).purchase, entry.purchase.expiresAt),
    entry.workspaceId,
  );
  // Its rate or its day may have grown.
  lookAtOnce(db, entry.workspaceId);
}

/** False if a row of the same gate was booked less than the window ago. */
function passGate(db: Database, { workspaceId, gate, at }: LedgerEntry): boolean {
  if (!gate) return true;
  const last = GATE.get(db, 'WHERE workspace_id = ? AND key = ?', workspaceId, gate.key);
  if (last && at < last.at + gate.windowMs) return false;
  GATE.replace(db, { workspaceId, key: gate.key, at });
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
          ROW.all(
            db,
            'WHERE workspace_id = ? AND id >= ? AND id < ?',
            workspaceId,
            `${kind}:${messageId}`,
            `${kind}:${messageId};`,
          ),
        )
        .sort((a, b) => a.at - b.at || a.seq - b.seq)
        .map(({ seq: _seq, ...row }) => row),
    newest: async (workspaceId, limit, before) =>
      ROW.all(
        db,
        'WHERE workspace_id = ? AND seq < ? ORDER BY seq DESC LIMIT ?',
        workspaceId,
        before ?? Number.MAX_SAFE_INTEGER,
        limit,
      ),
    rows: async (workspaceId, after, limit) =>
      ROW.all(db, 'WHERE workspace_id = ? AND seq > ? ORDER BY seq LIMIT ?', workspaceId, after, limit),
  };
}
