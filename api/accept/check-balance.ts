import { COIN_PER_MAIL } from '../../domain/coins';
import { texts } from '../../domain/texts';
import type { AcceptDeps } from './accept-deps';
import { Refusal } from './refusal';

/** Check 4: one coin at least. Only the balance counts; what waits in the queue is decided when its turn comes. */
export async function checkBalance(coins: AcceptDeps['stores']['coins'], workspaceId: number): Promise<Refusal | null> {
  const { balance } = await coins.account(workspaceId);
  return balance < COIN_PER_MAIL ? new Refusal('no_coins', texts.noCoins) : null;
}
