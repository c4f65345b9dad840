import { COIN_PER_MAIL, ledgerId, PENALTY_COINS } from '../ledger/coins';
import type { StatusChange } from '../messages/message';
import type { MessageRecord } from './message-record';

/** A ledger row that the facts of a message require. */
export interface OwedRow {
  id: string;
  amount: number;
  /** The times it may have: of a bounce and a complaint, either may have been first. */
  at: readonly number[];
}

type Facts = Pick<MessageRecord, 'message' | 'history'>;

/**
 * The ledger rows a message must have, from its status history alone (docs/contract.md#coins,
 * docs/architecture.md#coins): one coin per claim, refunded if the attempt ended in the queue or in failure, debited
 * again if evidence came later, and one penalty for a hard bounce or a complaint.
 */
export function owedCoins({ message, history }: Facts): OwedRow[] {
  const owed: OwedRow[] = [];
  const moves = movesOfAttempts(history);
  moves.forEach(({ claimedAt, after }, index) => {
    const attempt = index + 1;
    owed.push({ id: ledgerId.debit(message.id, attempt), amount: -COIN_PER_MAIL, at: [claimedAt] });
    const back = after.findIndex(({ status }) => status === 'queued' || status === 'failed');
    if (back < 0) return;
    owed.push({ id: ledgerId.refund(message.id, attempt), amount: COIN_PER_MAIL, at: [after[back]!.at] });
    const late = after.slice(back).find(({ status }) => status === 'delivered' || status === 'bounced');
    if (late) owed.push({ id: ledgerId.lateDebit(message.id), amount: -COIN_PER_MAIL, at: [late.at] });
  });
  const penalised = [message.hardBouncedAt, message.complainedAt].filter((at) => at !== null);
  if (penalised.length > 0) {
    owed.push({ id: ledgerId.messagePenalty(message.id), amount: -PENALTY_COINS, at: penalised });
  }
  return owed;
}

/** Each claim in the history, with the status changes up to the next claim. */
function movesOfAttempts(history: readonly StatusChange[]): { claimedAt: number; after: StatusChange[] }[] {
  const attempts: { claimedAt: number; after: StatusChange[] }[] = [];
  for (const change of history) {
    if (change.status === 'sending') attempts.push({ claimedAt: change.at, after: [] });
    else attempts.at(-1)?.after.push(change);
  }
  return attempts;
}
