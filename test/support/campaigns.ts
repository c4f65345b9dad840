import type { Campaign } from '../../domain/campaigns/campaign';
import type { Contact } from '../../domain/contacts/contact';
import type { Keyring } from '../../domain/keyring';
import type { Stores } from '../../stores/ports';
import { aCampaign, anAudience } from './marketing';

export interface Prepared {
  campaign: Campaign;
  /** In the order of the addresses. */
  contacts: Contact[];
}

export interface PrepareFor {
  stores: Stores;
  keyring: Keyring;
  workspaceId: number;
  domainId: number;
  /** ms */
  at: number;
}

/** A draft to an audience with these addresses as its members, written straight to the stores. */
export async function prepareCampaign(
  { stores, keyring, workspaceId, domainId, at }: PrepareFor,
  addresses: readonly string[],
): Promise<Prepared> {
  const workspace = await stores.workspaces.get(workspaceId);
  const domain = await stores.domains.get(domainId);
  if (!workspace || !domain) throw new Error('no such workspace or domain');
  const audience = await stores.audiences.create(anAudience(workspaceId, { createdAt: at }));
  const contacts = await Promise.all(
    addresses.map(async (email) => {
      const contact = { workspaceId, email, emailHash: keyring.hashAddress(email), name: null, at };
      const joined = await stores.audiences.join(workspaceId, audience.id, { contact }, at);
      if (!('contact' in joined)) throw new Error(`${email} did not join`);
      return joined.contact;
    }),
  );
  const html = '<p>Halo {{nama|Kak}}, <a href="https://toko.test/">lihat promo</a></p>';
  const campaign = await stores.campaigns.create(
    aCampaign({ workspace, domain }, audience.id, { html, createdAt: at }),
  );
  return { campaign, contacts };
}
