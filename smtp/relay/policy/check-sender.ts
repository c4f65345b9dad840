import type { SendingDomain } from '../../../domain/settings/sending-domain';
import { isEmailAddress, splitAddress } from '../../../schemas/rules/email-address';
import type { Reply } from '../protocol/policy';
import type { Login, SubmissionPolicyDeps } from './policy-deps';
import { reply } from './replies';

/**
 * The active domain of the account that a sender is at, or the reply that refuses the sender: 550 5.7.1, also for the
 * null sender, a subdomain and another account's domain (docs/contract.md#relay-replies). `where` names the sender in
 * the text.
 */
export async function checkSender(
  { stores }: Pick<SubmissionPolicyDeps, 'stores'>,
  { workspaceId }: Login,
  address: string,
  where: 'MAIL FROM' | 'From',
): Promise<SendingDomain | Reply> {
  const refusal = reply(550, '5.7.1', `The address of ${where} is not on an active domain of this account.`);
  if (!isEmailAddress(address)) return refusal;
  const domain = await stores.domains.findByName(splitAddress(address).domain);
  return domain?.workspaceId === workspaceId && domain.status === 'active' ? domain : refusal;
}
