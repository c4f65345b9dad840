import { addressPenalty, type PenaltyReason } from '../domain/coins';
import type { AcceptDeps } from './accept-deps';

/**
 * The 4 coins of a forced send (spec section 8). Durable in the log when this resolves; the ledger books it once per
 * address and reason in 24 h.
 */
export async function penalise(
  { log, clock }: Pick<AcceptDeps, 'log' | 'clock'>,
  workspaceId: number,
  addressHash: string,
  reason: PenaltyReason,
): Promise<void> {
  const value = addressPenalty(workspaceId, addressHash, reason, clock.now());
  await log.publish([{ topic: 'coins.entries', key: String(workspaceId), value }]);
}
