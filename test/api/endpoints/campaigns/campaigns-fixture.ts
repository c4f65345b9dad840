import type { Campaign } from '../../../../domain/campaigns/campaign';
import type { Contact } from '../../../../domain/contacts/contact';
import type { NewCampaign } from '../../../../stores/ports/campaign-store';
import { aCampaign, addMembers, anAudience } from '../../../support/marketing';
import type { ApiFixture } from '../fixture';

export interface Prepared {
  campaign: Campaign;
  members: Contact[];
}

/** A campaign of the account to an audience with that many members. */
export async function prepareCampaign(
  { api: { stores }, account }: ApiFixture,
  members = 3,
  overrides: Partial<NewCampaign> = {},
): Promise<Prepared> {
  const audience = await stores.audiences.create(anAudience(account.workspace.id));
  const contacts = await addMembers(stores, audience, members);
  return { campaign: await stores.campaigns.create(aCampaign(account, audience.id, overrides)), members: contacts };
}
