import type { SendingDomain } from '../../../domain/settings/sending-domain';
import { texts } from '../../../domain/texts';
import { splitAddress } from '../../../schemas/rules/email-address';
import type { MessageFields } from '../../../schemas/messages/send-message';
import type { AcceptDeps } from './accept-deps';
import { Refusal, type Checked } from './refusal';

export interface Sender {
  domain: SendingDomain;
  fromEmail: string;
}

const DEFAULT_LOCAL_PART = 'no-reply';

/**
 * Check 3: the sending domain belongs to the workspace (a foreign one is reported as unknown), is active, and
 * `from_email` is an address at that domain, not at a subdomain.
 */
export async function checkSender(
  domains: AcceptDeps['stores']['domains'],
  workspaceId: number,
  { sending_domain_id: domainId, from_email: fromEmail }: Pick<MessageFields, 'sending_domain_id' | 'from_email'>,
): Promise<Checked<Sender>> {
  const domain = await domains.get(domainId);
  if (domain?.workspaceId !== workspaceId) {
    return new Refusal('unknown_domain', 'The selected sending_domain_id is invalid.');
  }
  if (domain.status !== 'active') return new Refusal('inactive_domain', texts.domainInactive);
  const from = fromEmail === undefined ? { local: DEFAULT_LOCAL_PART, domain: domain.domain } : splitAddress(fromEmail);
  if (from.domain !== domain.domain) {
    return new Refusal('foreign_from_email', `The from_email field must be an address at ${domain.domain}.`);
  }
  return { domain, fromEmail: `${from.local}@${domain.domain}` };
}
