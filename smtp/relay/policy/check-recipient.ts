import { refusingStatus } from '../../../domain/contacts/contact';
import { checkAddress } from '../../../operations/messages/accept/check-address';
import { Penalties } from '../../../operations/messages/accept/penalties';
import { accountRate } from '../../../operations/workspaces/account-rate';
import { mayReceive } from '../../../domain/queue/claim';
import { COIN_PER_MAIL } from '../../../domain/ledger/coins';
import { mailOf } from '../../../domain/settings/sending-domain';
import { texts } from '../../../domain/texts';
import { canonicalAddress, splitAddress } from '../../../schemas/rules/email-address';
import type { Reply } from '../protocol/policy';
import type { Login, SubmissionPolicyDeps } from './policy-deps';
import { reply } from './replies';

type RecipientDeps = Pick<SubmissionPolicyDeps, 'stores' | 'log' | 'keyring' | 'clock' | 'rateLimiter'>;

/**
 * RCPT TO: null takes the address. The checks of POST /messages that concern the recipient, in their order and with
 * their penalties (docs/contract.md#checks-in-order), then the account's rate for the recipients taken. `sender`, the
 * address of MAIL FROM, tells the category. The commit of the mail makes them again, by the domain of its header From.
 * Rejects when a store or the log does.
 */
export async function checkRecipient(
  deps: RecipientDeps,
  login: Login,
  address: string,
  sender: string,
): Promise<Reply | null> {
  const penalties = new Penalties(deps);
  const refusal = await refuse(deps, login, { address, sender }, penalties);
  await penalties.publish();
  return refusal;
}

async function refuse(
  deps: RecipientDeps,
  { workspaceId }: Login,
  { address, sender }: { address: string; sender: string },
  penalties: Penalties,
): Promise<Reply | null> {
  const { stores, keyring, clock, rateLimiter } = deps;
  if (checkAddress(address, { workspaceId, keyring, penalties })) {
    return reply(553, '5.1.3', 'The recipient is not a valid email address.');
  }
  const { balance } = await stores.coins.account(workspaceId);
  if (balance < COIN_PER_MAIL) return reply(550, '5.7.1', texts.noCoins);
  const forced = await findForced(deps, workspaceId, canonicalAddress(address), sender);
  if (forced) {
    penalties.add(workspaceId, forced.hash, forced.reason);
    return reply(550, '5.7.1', forced.text);
  }
  const { perMinute } = await accountRate(stores, workspaceId, clock.now());
  const { exceeded } = await rateLimiter.take(`smtp-rcpt:${workspaceId}`, perMinute);
  if (!exceeded) return null;
  return reply(452, '4.7.1', `The account's limit of ${perMinute} emails per minute is reached; try again later.`);
}

/** Why a mail to this address would be a forced send (checks 5 and 6); null when it would not. */
async function findForced({ stores, keyring }: RecipientDeps, workspaceId: number, email: string, sender: string) {
  const hash = keyring.hashAddress(email);
  const [reason, contact] = await Promise.all([
    stores.suppressions.reason(workspaceId, hash),
    stores.contacts.find(workspaceId, email),
  ]);
  if (reason !== null) return { hash, reason: 'suppressed', text: texts.suppressed } as const;
  if (contact === null || refusingStatus(contact.status) === null) return null;
  const domain = await stores.domains.findByName(splitAddress(sender).domain);
  if (domain && mayReceive(contact.status, mailOf(domain).category)) return null;
  return { hash, reason: 'unsubscribed', text: texts.recipientUnsubscribed } as const;
}
