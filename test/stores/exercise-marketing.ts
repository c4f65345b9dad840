import type { Campaign } from '../../domain/campaigns/campaign';
import { POST_WORK } from '../../domain/journeys/enrollment';
import type { Journey, JourneyStep } from '../../domain/journeys/journey';
import type { Stores } from '../../stores/ports';
import { acceptMessage, aContact, aSignal, type Sender } from '../support/builders';
import { TEST_START } from '../support/clock';
import { aCampaign, aConversion, addMembers, aJourney, anAudience, anEnrollment } from '../support/marketing';

/** More of everything than a query may look at to answer little. */
export async function fillMarketing(stores: Stores, sender: Sender, count: number): Promise<void> {
  const { id: workspaceId } = sender.workspace;
  const audience = await stores.audiences.create(anAudience(workspaceId));
  await addMembers(stores, audience, count);
  const journey = await stores.journeys.create(aJourney(workspaceId));
  const each = Array.from({ length: count }, (_, n) => n);
  await Promise.all(each.map(() => stores.journeyRuns.enroll(anEnrollment(journey))));
  await fillSales(stores, sender, count);
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
  for (const status of [null, 'bounced'] as const) {
    await stores.bulkContacts.search({ workspaceId, prefix: 'a', status, after: '', limit: 50 });
  }
  await stores.bulkContacts.members(workspaceId, audience.id, 0, 50);
  await stores.audiences.ofContact(workspaceId, member!.id);
  await stores.engagement.ofContact(workspaceId, member!.id);
  await stores.journeyRuns.ofContact(workspaceId, member!.id);
  await stores.contacts.resubscribe(workspaceId, member!.id, audience.createdAt, 'siti');
  await stores.audiences.leave(workspaceId, audience.id, member!.id, audience.createdAt);
  const campaign = await stores.campaigns.create(aCampaign(sender, audience.id));
  await stores.audiences.get(workspaceId, audience.id);
  await stores.campaigns.get(workspaceId, campaign.id);
  await stores.campaigns.list(workspaceId);
  await exerciseCampaign(stores, campaign);
  const journey = await stores.journeys.create(aJourney(workspaceId));
  await stores.journeys.get(workspaceId, journey.id);
  await stores.journeys.version(workspaceId, journey.id, 1);
  await stores.journeys.edit(workspaceId, journey.id, journey, TEST_START);
  await stores.journeys.replaceSecret(workspaceId, journey.id, 'k1.next');
  await stores.journeys.setStatus(workspaceId, journey.id, 'active', TEST_START);
  for (let n = 0; n < 2; n += 1) await stores.journeyRuns.enroll(anEnrollment(journey, contact));
  await exercisePosts(stores, journey);
  await exerciseJourney(stores, journey);
  await stores.journeys.list(workspaceId);
  const draft = await stores.journeys.create(aJourney(workspaceId, { status: 'draft' }));
  await stores.journeys.delete(workspaceId, draft.id);
  await exerciseSales(stores, sender);
}

/** Linked sales and sales that wait, by message and by contact, of one buyer and of others. */
async function fillSales(stores: Stores, sender: Sender, count: number): Promise<void> {
  const { conversions, signals } = stores;
  const { id: workspaceId } = sender.workspace;
  for (let n = 0; n < count; n += 1) {
    const contact = await stores.contacts.ensure(aContact(workspaceId));
    const facts = { lane: 'campaign', campaignId: 70 + n, journeyId: n } as const;
    const mail = await acceptMessage(stores, { ...sender, contact }, { facts });
    const at = TEST_START - 2_000;
    await signals.store(aSignal(mail.id, { kind: 'click', at, link: 0 }), workspaceId, []);
    const orderId = `fill ${n}`;
    const sale = aConversion(workspaceId, { orderId, ...(n % 2 ? { messageId: mail.id } : { contactId: contact.id }) });
    await conversions.accept(sale);
    if (n % 3 > 0) await conversions.link(sale.id);
  }
}

/** A sale of each kind, linked, listed, settled, and left behind by its contact. */
async function exerciseSales(stores: Stores, sender: Sender): Promise<void> {
  const { conversions, signals, contacts } = stores;
  const { id: workspaceId } = sender.workspace;
  const contact = await contacts.ensure(aContact(workspaceId));
  const mail = await acceptMessage(stores, { ...sender, contact }, { facts: { lane: 'campaign', campaignId: 70 } });
  const signal = aSignal(mail.id, { kind: 'click', at: TEST_START - 2_000, link: 0 });
  await signals.store(signal, workspaceId, []);
  const click = { id: signal.id, messageId: mail.id, at: signal.at, link: 0, machine: null };
  for (const owner of [{ contactId: contact.id }, { messageId: mail.id }, {}]) {
    const sale = aConversion(workspaceId, { orderId: `A-${JSON.stringify(owner)}`, ...owner });
    await conversions.accept(sale);
    for (const after of [null, sale]) await conversions.affectedBy(click, contact.id, after, 5);
    await conversions.link(sale.id);
    await conversions.settle(sale.id);
    await conversions.get(sale.id);
    await conversions.clicks(sale.id, 5);
  }
  const times = { since: TEST_START - 5_000, until: TEST_START };
  for (const filter of [
    {},
    times,
    { messageId: mail.id, ...times },
    { campaignId: 70, ...times },
    { journeyId: 6 },
    { contactId: 5 },
  ]) {
    await conversions.list(workspaceId, filter, { offset: 0, limit: 5 });
    for (const after of [null, { occurredAt: TEST_START, id: mail.id }]) {
      await conversions.listAfter(workspaceId, filter, after, 5);
    }
  }
  await conversions.ofJourney(6);
  await contacts.delete(workspaceId, contact.id);
}

/**
 * Takes the contact of a journey through a step, to its goal and out of the journey, and one who joins into another.
 */
async function exerciseJourney(stores: Stores, journey: Journey): Promise<void> {
  const { journeyRuns, journeys, audiences, dueTasks } = stores;
  const { workspaceId, id, createdAt: at } = journey;
  const on = { kind: 'clicked', step: 1 } as const;
  const mail = { kind: 'email', domainId: 1, subject: 'Halo', html: '<p>Halo</p>', text: null } as const;
  const audience = await audiences.create(anAudience(workspaceId));
  const steps: JourneyStep[] = [mail, { kind: 'branch', on, then: [mail], else: [] }];
  const fields = { triggerType: 'audience_join', audienceId: audience.id, goal: { event: 'click', ends: true }, steps };
  const other = await journeys.create(aJourney(workspaceId, fields as Partial<Journey>));
  await audiences.join(workspaceId, audience.id, { contact: aContact(workspaceId) }, at);
  const claim = { kind: 'journey-step', lane: `journey:${other.id}`, now: at, leaseUntil: at + 1, limit: 1 };
  for (const task of await dueTasks.claim(claim)) {
    const done = { step: 1, type: 'email', at, outcome: 'done', reason: null, messageId: task.id } as const;
    const end = { kind: 'waits', step: 2, since: at, dueAt: at } as const;
    await journeyRuns.advance([{ enrollmentId: task.id, from: 1, claim: task, steps: [done], end, tasks: [] }]);
    await journeyRuns.open([task.id]);
  }
  for (const journeyId of [other.id, id]) {
    const [enrolled] = await journeyRuns.list({ workspaceId, id: journeyId }, 0, 1);
    await journeyRuns.countSteps({ workspaceId, id: journeyId, version: 1 }, 0, 10);
    await journeyRuns.resume({ workspaceId, id: journeyId }, 0, 1);
    const { contactId } = enrolled!;
    const hit = { workspaceId, contactId, event: 'click', at, now: at } as const;
    for (const which of [null, journeyId]) await journeyRuns.reachGoal({ ...hit, journeyId: which });
    await journeyRuns.leave({ workspaceId, contactId }, 'removed', at);
  }
}

/** Calls every member of the posts of webhook steps. */
async function exercisePosts({ journeyPosts }: Stores, { workspaceId, id }: Journey): Promise<void> {
  await journeyPosts.open('0199a1b2-c3d4-7f5a-8b7c-8d9e0f1a2b3c:1');
  await journeyPosts.list({ workspaceId, id }, 10);
  const claim = { kind: POST_WORK, id: 'none:1', token: 'none' };
  await journeyPosts.finish(claim, { state: 'cancelled', attempts: [], nextAt: null });
  await journeyPosts.trim(TEST_START, 10);
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
