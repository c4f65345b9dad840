import type { CoinAccount, LedgerEntry } from '../../domain/ledger/coins';

export interface LedgerRow {
  id: string;
  workspaceId: number;
  kind: LedgerEntry['kind'];
  amount: number;
  messageId: string | null;
  at: number;
}

export type PostOutcome = 'posted' | 'exists' | 'gated';

/**
 * The append-only ledger. The balance is a view of it, updated in the same transaction (docs/architecture.md#coins).
 * The debit of a hand-off is not posted here; it is part of the claim.
 */
export interface CoinLedger {
  /** All zero for a workspace without rows. */
  account(workspaceId: number): Promise<CoinAccount>;
  /** Books the entry once. A repeated id returns `exists`, a closed gate returns `gated`. */
  post(entry: LedgerEntry): Promise<PostOutcome>;
  /** Rows of a message, in order of time; of one time in booking order. */
  ofMessage(workspaceId: number, messageId: string): Promise<LedgerRow[]>;
  /** Rows in booking order, after row `after` (0 = from the start). */
  rows(workspaceId: number, after: number, limit: number): Promise<(LedgerRow & { seq: number })[]>;
  /** Newest first. With `before`, only rows before that row. */
  newest(workspaceId: number, limit: number, before?: number): Promise<(LedgerRow & { seq: number })[]>;
}
