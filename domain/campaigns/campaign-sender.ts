import type { Campaign } from './campaign';
import type { SendingDomain } from '../settings/sending-domain';
import type { Workspace } from '../settings/workspace';

/** The sender of a campaign's mail: what it leaves open comes from its domain and its workspace. */
export function campaignSender(
  campaign: Pick<Campaign, 'fromEmail' | 'fromName'>,
  { domain }: Pick<SendingDomain, 'domain'>,
  { businessName, name }: Pick<Workspace, 'businessName' | 'name'>,
): { fromEmail: string; fromName: string } {
  return {
    fromEmail: campaign.fromEmail ?? `no-reply@${domain}`,
    fromName: campaign.fromName ?? (businessName || name),
  };
}
