import type { PenaltyReason } from '../domain/coins';
import { texts } from '../domain/texts';
import type { AddresseeRefusal } from '../stores/ports/message-store';
import type { AcceptDeps } from './accept-deps';
import { penalise } from './penalise';
import { Refusal } from './refusal';

const NO_COINS = new Refusal('no_coins', texts.noCoins);

/** What a forced send costs, beside the answer to it (spec section 8). */
const FORCED: Record<Exclude<AddresseeRefusal, 'no_coins'>, { penalty: PenaltyReason; refusal: Refusal }> = {
  suppressed: { penalty: 'suppressed', refusal: new Refusal('recipient_suppressed', texts.suppressed) },
  unsubscribed: {
    penalty: 'unsubscribed',
    refusal: new Refusal('recipient_unsubscribed', texts.recipientUnsubscribed),
  },
};

/** Checks 4 to 6, which the store makes with the commit: what a refusal answers, and its penalty. */
export async function refuseAddressee(
  deps: AcceptDeps,
  workspaceId: number,
  addressHash: string,
  because: AddresseeRefusal,
): Promise<Refusal> {
  if (because === 'no_coins') return NO_COINS;
  const { penalty, refusal } = FORCED[because];
  await penalise(deps, workspaceId, addressHash, penalty);
  return refusal;
}
