import { COIN_PER_MAIL, ledgerId, PENALTY_COINS } from '../coins';
import type { StatusChange } from '../message';
import type { MessageRecord } from './message-record';

/** A ledger row that the facts of a message ask for. */
export interface OwedRow {
  id: string;
  amount: number;
  /** The times it may bear: a bounce and a complaint may both have been first. */
  at: readonly number[];
}

type Facts = Pick<MessageRecord, 'message' | 'history'>;

/**
 * What the ledger must hold of a message, from its status history alone (docs/contract.md#coins,
 * docs/architecture.md#coins): a coin for each claim, back when that attempt ended in the queue or in failure, taken
 * again when evidence came after that, and one penalty for a bounce or a complaint.
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
  const penalised = history.filter(({ status }) => status === 'bounced').map(({ at }) => at);
  if (message.complainedAt !== null) penalised.push(message.complainedAt);
  if (penalised.length > 0) {
    owed.push({ id: ledgerId.messagePenalty(message.id), amount: -PENALTY_COINS, at: penalised });
  }
  return owed;
}

/** Each claim of the history, with the moves up to the next one. */
function movesOfAttempts(history: readonly StatusChange[]): { claimedAt: number; after: StatusChange[] }[] {
  const attempts: { claimedAt: number; after: StatusChange[] }[] = [];
  for (const change of history) {
    if (change.status === 'sending') attempts.push({ claimedAt: change.at, after: [] });
    else attempts.at(-1)?.after.push(change);
  }
  return attempts;
}
