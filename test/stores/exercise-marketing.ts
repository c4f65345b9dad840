import type { Campaign } from '../../domain/campaign';
import type { Stores } from '../../stores/ports';
import { aContact, type Sender } from '../support/builders';
import { aCampaign, aConversion, addMembers, aJourney, anAudience, anEnrollment } from '../support/marketing';

/** More of everything than a query may look at to answer little. */
export async function fillMarketing(stores: Stores, sender: Sender, count: number): Promise<void> {
  const { id: workspaceId } = sender.workspace;
  const audience = await stores.audiences.create(anAudience(workspaceId));
  await addMembers(stores, audience, count);
  const journey = await stores.journeys.create(aJourney(workspaceId));
  const each = Array.from({ length: count }, (_, n) => n);
  await Promise.all(each.map(() => stores.journeys.enrol(anEnrollment(journey))));
  await Promise.all(each.map((n) => stores.conversions.accept(aConversion(workspaceId, { orderId: `fill ${n}` }))));
}

/** Calls every member of the ports of audiences, campaigns, journeys and conversions once. */
export async function exerciseMarketing(stores: Stores, sender: Sender): Promise<void> {
  const { id: workspaceId } = sender.workspace;
  const contact = aContact(workspaceId);
  const audience = await stores.audiences.create(anAudience(workspaceId));
  const [member] = await addMembers(stores, audience, 2);
  await stores.audiences.list(workspaceId);
  await stores.audiences.members(workspaceId, audience.id, { offset: 1, limit: 50 });
  await stores.audiences.join(workspaceId, audience.id, { contact }, audience.createdAt);
  const rows = [{ ...aContact(workspaceId), status: 'subscribed' as const }];
  await stores.bulkContacts.add({ workspaceId, audienceId: audience.id, contacts: rows, at: audience.createdAt });
  await stores.bulkContacts.contacts(workspaceId, 0, 50);
  await stores.bulkContacts.members(workspaceId, audience.id, 0, 50);
  await stores.contacts.resubscribe(workspaceId, member!.id, audience.createdAt);
  await stores.audiences.leave(workspaceId, audience.id, member!.id, audience.createdAt);
  const campaign = await stores.campaigns.create(aCampaign(sender, audience.id));
  await stores.audiences.get(workspaceId, audience.id);
  await stores.campaigns.get(workspaceId, campaign.id);
  await stores.campaigns.list(workspaceId);
  await exerciseCampaign(stores, campaign);
  const journey = await stores.journeys.create(aJourney(workspaceId));
  await stores.journeys.get(workspaceId, journey.id);
  await stores.journeys.setStatus(workspaceId, journey.id, 'active');
  for (let n = 0; n < 2; n += 1) await stores.journeys.enrol(anEnrollment(journey, contact));
  await stores.journeys.list(workspaceId);
  const conversion = aConversion(workspaceId, { orderId: 'A-1' });
  await stores.conversions.accept(conversion);
  await stores.conversions.get(conversion.id);
}

/** Runs a campaign with everything that may happen to it. */
async function exerciseCampaign({ campaignRuns }: Stores, campaign: Campaign): Promise<void> {
  const { workspaceId, audienceId, id, createdAt: at } = campaign;
  const members = { workspaceId, audienceId, after: 0, joinedBy: at, limit: 10 };
  const { qualified, last: lastContactId } = await campaignRuns.countMembers(members);
  await campaignRuns.start({ workspaceId, id, from: 'draft', qualified, lastContactId, at });
  for (let step = 0; step < 2; step += 1) {
    await campaignRuns.expand(campaign, 1);
    await campaignRuns.feed(campaign, 1, at);
  }
  await campaignRuns.settle(campaign, 10, at);
  await campaignRuns.mark(campaign, [{ final: 0, bad: 0 }]);
  await campaignRuns.progress(campaign);
  await campaignRuns.recipients(campaign, 0, 10);
  for (const kind of ['resume', 'cancel'] as const) await campaignRuns.move(campaign, { kind }, at);
  for (let step = 0; step < 2; step += 1) await campaignRuns.settle(campaign, 10, at);
}
