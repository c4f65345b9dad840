import { DAY } from '../lib/clock';

/** Coins of docs/contract.md#coins. */
export const COIN_PER_MAIL = 1;
export const PENALTY_COINS = 4;
export const PENALTY_WINDOW = DAY;

export type LedgerKind = 'debit' | 'refund' | 'penalty' | 'topup' | 'grant';

/** Why a forced send was penalised; once per address and reason in 24 h. */
export type PenaltyReason = 'malformed' | 'suppressed' | 'unsubscribed';

/** A row to be booked. The id is natural: the same fact always has the same id, so it is booked once. */
export interface LedgerEntry {
  id: string;
  workspaceId: number;
  kind: LedgerKind;
  /** Signed coins. */
  amount: number;
  messageId: string | null;
  at: number;
  /** Booked only when no row of the same gate was booked in the window before `at`. */
  gate?: { key: string; windowMs: number };
  /** Purchased coins make an account premium; ms until when, null = for ever. */
  purchase?: { expiresAt: number | null };
}

export interface CoinAccount {
  workspaceId: number;
  balance: number;
  /** Never bought: undefined. Otherwise when the last purchase ends (null = never). */
  purchase?: { expiresAt: number | null };
}

/** Premium: holds valid purchased coins (docs/contract.md#send-rate). Time in ms. */
export function isPremium(account: CoinAccount, now: number): boolean {
  if (!account.purchase || account.balance < 1) return false;
  return account.purchase.expiresAt === null || account.purchase.expiresAt > now;
}

/** The end of the last purchase after one more; ms, null = never ends. Only ever later. */
export function laterEnd(held: CoinAccount['purchase'], expiresAt: number | null): number | null {
  if (!held) return expiresAt;
  return held.expiresAt === null || expiresAt === null ? null : Math.max(held.expiresAt, expiresAt);
}

export const ledgerId = {
  debit: (messageId: string, attempt: number) => `debit:${messageId}:${attempt}`,
  lateDebit: (messageId: string) => `debit:${messageId}:late`,
  refund: (messageId: string, attempt: number) => `refund:${messageId}:${attempt}`,
  messagePenalty: (messageId: string) => `penalty:${messageId}`,
  addressPenalty: (addressHash: string, reason: PenaltyReason, at: number) => `penalty:${addressHash}:${reason}:${at}`,
  topup: (reference: string) => `topup:${reference}`,
  grant: (reference: string) => `grant:${reference}`,
};

/**
 * The 4-coin penalty for a hard bounce or a complaint, once per message
 * (docs/contract.md#penalty-for-a-bounce-or-complaint).
 */
export function messagePenalty(workspaceId: number, messageId: string, at: number): LedgerEntry {
  return {
    id: ledgerId.messagePenalty(messageId),
    workspaceId,
    kind: 'penalty',
    amount: -PENALTY_COINS,
    messageId,
    at,
  };
}

/**
 * The 4-coin penalty for a forced send, once per address and reason in 24 h
 * (docs/contract.md#penalty-for-a-forced-send).
 */
export function addressPenalty(
  workspaceId: number,
  addressHash: string,
  reason: PenaltyReason,
  at: number,
): LedgerEntry {
  return {
    id: ledgerId.addressPenalty(addressHash, reason, at),
    workspaceId,
    kind: 'penalty',
    amount: -PENALTY_COINS,
    messageId: null,
    at,
    gate: { key: `${addressHash}:${reason}`, windowMs: PENALTY_WINDOW },
  };
}

/**
 * The coin of an attempt that the sending server refused or has no record of, given back (docs/contract.md#refunds).
 */
export function refund(workspaceId: number, messageId: string, attempt: number, at: number): LedgerEntry {
  return { id: ledgerId.refund(messageId, attempt), workspaceId, kind: 'refund', amount: COIN_PER_MAIL, messageId, at };
}

/**
 * The coin of a message whose delivery was proven after it had been given back
 * (docs/architecture.md#the-fence-and-evidence).
 */
export function lateDebit(workspaceId: number, messageId: string, at: number): LedgerEntry {
  return { id: ledgerId.lateDebit(messageId), workspaceId, kind: 'debit', amount: -COIN_PER_MAIL, messageId, at };
}
