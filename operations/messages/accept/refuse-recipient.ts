import type { PenaltyReason } from '../../../domain/ledger/coins';
import { texts } from '../../../domain/texts';
import type { Acceptance, RecipientRefusal } from '../../../stores/ports/message-store';
import type { Penalties } from './penalties';
import { Refusal } from './refusal';

/** The refusals of checks 4 to 6. */
const REFUSALS: Record<RecipientRefusal, Refusal> = {
  no_coins: new Refusal('no_coins', texts.noCoins),
  suppressed: new Refusal('suppressed', texts.suppressed),
  unsubscribed: new Refusal('unsubscribed', texts.recipientUnsubscribed),
  stale_step: new Refusal('stale_step', 'The contact is no longer at this step of the journey.'),
};

/**
 * The penalty of each refusal that counts as a forced send (docs/contract.md#penalty-for-a-forced-send); null: no
 * penalty.
 */
const FORCED: Record<RecipientRefusal, PenaltyReason | null> = {
  no_coins: null,
  suppressed: 'suppressed',
  unsubscribed: 'unsubscribed',
  stale_step: null,
};

/** Checks 4 to 6, made by the store within the commit: returns the refusal of a recipient and records its penalty. */
export function refuseRecipient({ recipient }: Acceptance, reason: RecipientRefusal, penalties: Penalties): Refusal {
  const penalty = FORCED[reason];
  if (penalty && 'address' in recipient) {
    penalties.add(recipient.address.workspaceId, recipient.address.emailHash, penalty);
  }
  return REFUSALS[reason];
}
