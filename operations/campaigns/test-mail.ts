import { acceptMessage } from '../messages/accept/accept-messages';
import type { Accepted } from '../messages/accept/accept-messages';
import { Refusal, type RefusalReason } from '../messages/accept/refusal';
import type { Campaign } from '../../domain/campaigns/campaign';
import type { SendingDomain } from '../../domain/settings/sending-domain';
import type { Workspace } from '../../domain/settings/workspace';
import { makeNewId } from '../../lib/new-id';
import type { Operator } from '../definition/operator';

/** Why a test mail was not accepted. */
export type TestRefusal = RefusalReason | 'suspended_workspace' | 'no_content';

/** The mark at the start of the subject of a test mail. */
const MARK = '[Test] ';

/**
 * Accepts a test mail of a campaign: one paid message on the transactional lane, with the campaign's id and content of
 * its own, in none of the campaign's counts (docs/contract.md#campaign-after-the-start). Answers why it was refused; a
 * suppressed or unsubscribed address costs the penalty of a forced send. Rejects when a store or the log does.
 */
export async function sendTestMail(
  operator: Pick<Operator, 'stores' | 'log' | 'clock' | 'keyring'>,
  { workspace, domain, campaign }: { workspace: Workspace; domain: SendingDomain; campaign: Campaign },
  address: string,
): Promise<{ id: string } | { refused: TestRefusal }> {
  if (workspace.suspended) return { refused: 'suspended_workspace' };
  if (domain.status !== 'active') return { refused: 'inactive_domain' };
  if (campaign.html === null) return { refused: 'no_content' };
  const { stores, log, clock } = operator;
  const deps = { stores, log, clock, keyring: await operator.keyring(), newId: makeNewId(clock) };
  const accepted: Accepted | Refusal = await acceptMessage(deps, {
    sender: { workspace, domain },
    draft: {
      channel: 'app',
      lane: 'transactional',
      campaignId: campaign.id,
      subject: MARK + campaign.subject,
      fromEmail: campaign.fromEmail,
      fromName: campaign.fromName,
      replyTo: campaign.replyTo,
    },
    recipient: { address, ofService: true },
    body: { html: campaign.html, text: campaign.text },
  });
  return accepted instanceof Refusal ? { refused: accepted.reason } : { id: accepted.id };
}
