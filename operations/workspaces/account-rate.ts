import { isPremium } from '../../domain/ledger/coins';
import { sendRate, type SendRate } from '../../domain/queue/send-rate';
import type { Stores } from '../../stores/ports';

/** The send rate of a workspace at `now`, ms (docs/contract.md#send-rate). Rejects when the stores do. */
export async function accountRate(
  { coins, workspaces }: Pick<Stores, 'coins' | 'workspaces'>,
  workspaceId: number,
  now: number,
): Promise<SendRate> {
  const [account, workspace] = await Promise.all([coins.account(workspaceId), workspaces.get(workspaceId)]);
  return sendRate(isPremium(account, now), workspace?.rates);
}
