import type { Services } from '../../app/services';
import { startCampaign } from '../../commands/campaigns/start-campaign';
import { NEW_CAMPAIGN, type Campaign } from '../../domain/campaigns/campaign';
import type { Stores } from '../../stores/ports';

/** A campaign to one contact; `key` is its subject. */
export interface CampaignOrder {
  workspaceId: number;
  domainId: number;
  to: string;
  key: string;
}

/** The campaign with the key, and its message's id once it has one. */
export async function findCampaign(
  { campaigns, campaignRuns }: Pick<Stores, 'campaigns' | 'campaignRuns'>,
  { workspaceId, key }: Pick<CampaignOrder, 'workspaceId' | 'key'>,
): Promise<{ campaign: Omit<Campaign, 'html' | 'blocks' | 'text'>; messageId: string | null } | null> {
  const campaign = (await campaigns.list(workspaceId)).find(({ subject }) => subject === key);
  if (!campaign) return null;
  const [recipient] = await campaignRuns.recipients(campaign, 0, 1);
  return { campaign, messageId: recipient?.messageId ?? null };
}

/** Creates and starts the campaign, unless an earlier process did. Returns the id of its message once it has one. */
export async function orderCampaign(services: Services, order: CampaignOrder): Promise<string | null> {
  const { stores } = services.engine;
  const found = await findCampaign(stores, order);
  const id = found?.campaign.id ?? (await createCampaign(services, order));
  if (!found || found.campaign.status === 'draft') {
    const started = await startCampaign({ stores, clock: services.clock }, { workspaceId: order.workspaceId, id });
    if (started?.kind !== 'started') throw new Error('The campaign was not started.');
  }
  return found?.messageId ?? null;
}

async function createCampaign(
  { engine: { stores }, keyring, clock }: Services,
  { workspaceId, domainId, to, key: subject }: CampaignOrder,
): Promise<number> {
  const createdAt = clock.now();
  const list = { name: subject, description: null, publicToken: subject, optInMode: 'single' as const, createdAt };
  const { id: audienceId } = await stores.audiences.create({ ...list, workspaceId });
  const contact = { workspaceId, email: to, emailHash: keyring.hashAddress(to), name: null, at: createdAt };
  await stores.audiences.join(workspaceId, audienceId, { contact }, createdAt);
  const sender = { fromEmail: null, fromName: null, replyTo: null, preheader: null, blocks: null };
  const content = { ...sender, subject, html: '<p>Halo {{nama|Kak}}</p>', text: null };
  const campaign = { ...NEW_CAMPAIGN, ...content, workspaceId, audienceId, domainId, createdAt };
  return (await stores.campaigns.create(campaign)).id;
}
