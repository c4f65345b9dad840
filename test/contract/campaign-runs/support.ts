import type { Campaign } from '../../../domain/campaigns/campaign';
import type { Contact } from '../../../domain/contacts/contact';
import type { Message } from '../../../domain/messages/message';
import type { CampaignProgress, StartOutcome, StartRequest } from '../../../stores/ports/campaign-runs';
import type { NewCampaign } from '../../../stores/ports/campaign-store';
import type { NewAudience } from '../../../stores/ports/audience-store';
import { createSender, type Sender } from '../../support/builders';
import { TEST_START } from '../../support/clock';
import { aCampaign, addMembers, anAudience } from '../../support/marketing';
import type { Subject } from '../harness';
import { present } from '../helpers';

export interface Prepared {
  sender: Sender;
  campaign: Campaign;
  /** In the order of their ids. */
  members: Contact[];
}

export interface PrepareOptions {
  members?: number;
  coins?: number;
  audience?: Partial<NewAudience>;
  campaign?: Partial<NewCampaign>;
}

/** A draft campaign to an audience with that many members (3 by default). */
export async function prepare(subject: Subject, options: PrepareOptions = {}): Promise<Prepared> {
  const { stores } = subject;
  const sender = await createSender(stores, options.coins === undefined ? {} : { coins: options.coins });
  const audience = await stores.audiences.create(anAudience(sender.workspace.id, options.audience));
  const members = await addMembers(stores, audience, options.members ?? 3);
  const campaign = await stores.campaigns.create(aCampaign(sender, audience.id, options.campaign));
  return { sender, campaign, members: members.sort((a, b) => a.id - b.id) };
}

export const startRequest = ({ campaign, members }: Prepared, overrides: Partial<StartRequest> = {}): StartRequest => ({
  workspaceId: campaign.workspaceId,
  id: campaign.id,
  from: 'draft',
  qualified: members.length,
  lastContactId: members.at(-1)?.id ?? null,
  at: TEST_START,
  ...overrides,
});

export const start = (
  subject: Subject,
  prepared: Prepared,
  overrides: Partial<StartRequest> = {},
): Promise<StartOutcome> => subject.stores.campaignRuns.start(startRequest(prepared, overrides));

/** Makes the whole manifest, `limit` members at a time. */
export async function expandAll({ stores }: Subject, campaign: Campaign, limit = 100): Promise<number> {
  let rows = 0;
  for (let n = -1; n !== 0; rows += n) n = await stores.campaignRuns.expand(campaign, limit);
  return rows;
}

/** Feeds everything, `limit` rows at a time. */
export async function feedAll({ stores }: Subject, campaign: Campaign, limit = 100): Promise<number> {
  let rows = 0;
  for (let n = -1; n !== 0; rows += n) ({ rows: n } = await stores.campaignRuns.feed(campaign, limit, TEST_START));
  return rows;
}

/** A live campaign whose members all have a message. */
export async function running(subject: Subject, options: PrepareOptions = {}): Promise<Prepared> {
  const prepared = await prepare(subject, options);
  await start(subject, prepared);
  await expandAll(subject, prepared.campaign);
  await feedAll(subject, prepared.campaign);
  return prepared;
}

export const progressOf = async ({ stores }: Subject, campaign: Campaign): Promise<CampaignProgress> =>
  present(await stores.campaignRuns.progress(campaign));

/** The messages of a campaign, in the order of its manifest. */
export async function messagesOf({ stores }: Subject, campaign: Campaign): Promise<Message[]> {
  const rows = await stores.campaignRuns.recipients(campaign, 0, 1_000);
  return stores.messages.getMany(
    campaign.workspaceId,
    rows.flatMap(({ messageId }) => messageId ?? []),
  );
}
