import { DAY } from '../../lib/clock';

/** Coin amounts of docs/contract.md#coins. */
export const COIN_PER_MAIL = 1;
export const PENALTY_COINS = 4;
export const PENALTY_WINDOW = DAY;

export const LEDGER_KINDS = ['debit', 'refund', 'penalty', 'topup', 'grant'] as const;
export type LedgerKind = (typeof LEDGER_KINDS)[number];

/** Why a forced send costs a penalty; once per address and reason in 24 h. */
export type PenaltyReason = 'malformed' | 'suppressed' | 'unsubscribed';

/** A row to book. The id follows from the fact, so that the same fact is booked only once. */
export interface LedgerEntry {
  id: string;
  workspaceId: number;
  kind: LedgerKind;
  /** Signed coins. */
  amount: number;
  messageId: string | null;
  at: number;
  /** Booked only if no row with the same gate was booked in the window before `at`. */
  gate?: { key: string; windowMs: number };
  /** Purchased coins make an account premium until `expiresAt`, ms; null = for ever. */
  purchase?: { expiresAt: number | null };
}

export interface CoinAccount {
  workspaceId: number;
  balance: number;
  /** Undefined if coins were never bought. Otherwise when the last purchase ends (null = never). */
  purchase?: { expiresAt: number | null };
}

/** True when the account is premium: it has valid purchased coins (docs/contract.md#send-rate). `now` in ms. */
export function isPremium(account: CoinAccount, now: number): boolean {
  if (!account.purchase || account.balance < 1) return false;
  return account.purchase.expiresAt === null || account.purchase.expiresAt > now;
}

/** The end of the last purchase after one more; ms, null = never ends. It only moves later. */
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

/** The refund for an attempt that the sending server refused or has no record of (docs/contract.md#refunds). */
export function refund(workspaceId: number, messageId: string, attempt: number, at: number): LedgerEntry {
  return { id: ledgerId.refund(messageId, attempt), workspaceId, kind: 'refund', amount: COIN_PER_MAIL, messageId, at };
}

/** The debit for a message that was proven delivered after its refund (docs/architecture.md#the-fence-and-evidence). */
export function lateDebit(workspaceId: number, messageId: string, at: number): LedgerEntry {
  return { id: ledgerId.lateDebit(messageId), workspaceId, kind: 'debit', amount: -COIN_PER_MAIL, messageId, at };
}
