import { mayReceive } from '../queue/claim';
import { COIN_PER_MAIL } from '../ledger/coins';
import type { ContactStatus } from '../contacts/contact';
import type { MessageFacts, MessageStatus } from './message';

/** A message that is to be accepted, as far as it is judged. */
export interface ToJudge {
  facts: Pick<MessageFacts, 'id' | 'workspaceId' | 'category'>;
  /** An address; a contact that is never refused here; or one that is refused as an address is, and once for the id. */
  recipient:
    | { address: { email: string; emailHash: string; status?: ContactStatus } }
    | { contact: number }
    | { checked: { id: number; emailHash: string } };
  idempotencyKey: string | null;
}

/** A message that is there already. */
export interface FirstMessage {
  id: string;
  status: MessageStatus;
}

/** What is looked up of a recipient's address. */
export interface RecipientState {
  /** Coins of the workspace. */
  balance: number;
  /** On the list of the workspace or on the global one. */
  suppressed: boolean;
  /** The contact with this address; null: none. */
  contact: number | null;
}

/** How the judgement looks things up; a driver may have read them beforehand. */
export interface AcceptanceLookup {
  withKey(workspaceId: number, idempotencyKey: string): FirstMessage | undefined;
  withId(messageId: string): FirstMessage | undefined;
  /** `email` is null where the contact is known. */
  recipientState(workspaceId: number, emailHash: string, email: string | null): RecipientState;
  /** Undefined for a contact that was deleted. */
  statusOf(contactId: number): ContactStatus | undefined;
}

export type AcceptanceJudgement =
  | ({ kind: 'duplicate' } & FirstMessage)
  | { kind: 'refused'; reason: 'no_coins' | 'suppressed' | 'unsubscribed' }
  /**
   * `contactId` null: the contact is to be made. `deleted`: it was deleted meanwhile, and the message keeps no address.
   * `subscribes`: only the service wrote to it so far, so it is subscribed now as one that is made would be.
   */
  | { kind: 'accepted'; contactId: number | null; deleted: boolean; subscribes?: true };

/** The duplicate rules and checks 4 to 6, in their order (docs/contract.md#checks-in-order). Writes nothing. */
export function judgeAcceptance(
  { facts, recipient, idempotencyKey }: ToJudge,
  lookup: AcceptanceLookup,
): AcceptanceJudgement {
  const isChecked = 'checked' in recipient;
  const first =
    (idempotencyKey === null ? undefined : lookup.withKey(facts.workspaceId, idempotencyKey)) ??
    (isChecked ? lookup.withId(facts.id) : undefined);
  if (first) return { kind: 'duplicate', id: first.id, status: first.status };
  if ('contact' in recipient) return fits(recipient.contact, lookup);
  const { emailHash } = isChecked ? recipient.checked : recipient.address;
  const state = lookup.recipientState(facts.workspaceId, emailHash, isChecked ? null : recipient.address.email);
  if (state.balance < COIN_PER_MAIL) return { kind: 'refused', reason: 'no_coins' };
  if (state.suppressed) return { kind: 'refused', reason: 'suppressed' };
  const contactId = isChecked ? recipient.checked.id : state.contact;
  if (contactId === null) return { kind: 'accepted', contactId, deleted: false };
  const status = lookup.statusOf(contactId);
  if (status !== undefined && !mayReceive(status, facts.category)) return { kind: 'refused', reason: 'unsubscribed' };
  return {
    kind: 'accepted',
    contactId,
    deleted: status === undefined,
    ...(subscribes(recipient, status) && SUBSCRIBES),
  };
}

const SUBSCRIBES = { subscribes: true } as const;

const subscribes = (recipient: ToJudge['recipient'], status: ContactStatus | undefined): boolean =>
  status === 'not_subscribed' && 'address' in recipient && recipient.address.status === undefined;

const fits = (contactId: number, lookup: AcceptanceLookup): AcceptanceJudgement => ({
  kind: 'accepted',
  contactId,
  deleted: lookup.statusOf(contactId) === undefined,
});
