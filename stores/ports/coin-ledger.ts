import type { CoinAccount, LedgerEntry } from '../../domain/coins';

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
 * The append-only ledger; the balance is a view of it, changed in the same transaction (docs/architecture.md#coins).
 * The debit of a hand-off is not posted here: it is part of the claim.
 */
export interface CoinLedger {
  /** Zero for a workspace without rows. */
  account(workspaceId: number): Promise<CoinAccount>;
  /** Books the entry once: the same id again answers `exists`; a closed gate answers `gated`. */
  post(entry: LedgerEntry): Promise<PostOutcome>;
  /** Rows of a message, in no promised order. */
  ofMessage(workspaceId: number, messageId: string): Promise<LedgerRow[]>;
  /** Rows in order of booking, after row `after` (0 = from the start). */
  rows(workspaceId: number, after: number, limit: number): Promise<(LedgerRow & { seq: number })[]>;
  /** Newest first, those before row `before` where it is given. */
  newest(workspaceId: number, limit: number, before?: number): Promise<(LedgerRow & { seq: number })[]>;
}
