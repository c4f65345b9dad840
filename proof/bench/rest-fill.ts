import { randomUUID } from 'node:crypto';
import { NEW_CAMPAIGN, type Campaign } from '../../domain/campaigns/campaign';
import type { JourneyStep } from '../../domain/journeys/journey';
import { DAY } from '../../lib/clock';
import { IMPORTS } from '../../operations/contacts/import-record';
import type { Stores } from '../../stores/ports';

/** Where the states are made, and how many of each; enrollments are ten times as many. */
export interface RestFill {
  stores: Stores;
  workspaceId: number;
  domainId: number;
  count: number;
}

const WAIT: JourneyStep = { kind: 'wait', ms: 90 * DAY };
const WEBHOOK = { url: 'https://hook.bench.example/', eventTypes: ['delivered' as const], secretSealed: 'k1.sealed' };

/**
 * Everything that may last for long: campaigns that wait for a report, are paused or scheduled, journeys whose steps
 * are months away and journeys that are paused, webhooks that are switched off, members who do not confirm, sales
 * without a click, and imports that stopped. Campaigns that wait are started here, and driven by the service.
 */
export async function fillStates(fill: RestFill): Promise<void> {
  const { count } = fill;
  const audience = await newAudience(fill, 'single', 2);
  await newAudience(fill, 'double', count);
  for (let n = 0; n < count; n += 1) {
    const [waits, pauses, scheduled] = [
      await newCampaign(fill, audience),
      await newCampaign(fill, audience),
      await newCampaign(fill, audience),
    ];
    await start(fill, waits);
    await start(fill, pauses);
    await fill.stores.campaignRuns.move(pauses, { kind: 'pause', reason: null }, Date.now());
    const later = { kind: 'schedule', scheduledAt: Date.now() + 90 * DAY } as const;
    await fill.stores.campaignRuns.move(scheduled, later, Date.now());
  }
  for (const status of ['active', 'paused'] as const) await newJourney(fill, status);
  await newWebhook(fill);
  await newSales(fill);
  await newImports(fill);
}

const contact = ({ workspaceId }: RestFill, name: string) => {
  const email = `${name}-${randomUUID()}@bench.example`;
  return { workspaceId, email, emailHash: email, name: null, at: Date.now() };
};

async function newAudience(fill: RestFill, optInMode: 'single' | 'double', members: number): Promise<number> {
  const { stores, workspaceId } = fill;
  const { id } = await stores.audiences.create({
    workspaceId,
    name: `Rest ${optInMode}`,
    description: null,
    publicToken: randomUUID(),
    optInMode,
    createdAt: Date.now(),
  });
  for (let n = 0; n < members; n += 1) {
    await stores.audiences.join(workspaceId, id, { contact: contact(fill, 'member') }, Date.now());
  }
  return id;
}

const newCampaign = ({ stores, workspaceId, domainId }: RestFill, audienceId: number): Promise<Campaign> =>
  stores.campaigns.create({
    workspaceId,
    audienceId,
    domainId,
    subject: 'Rest',
    html: '<p>Halo</p>',
    blocks: null,
    text: null,
    preheader: null,
    fromEmail: null,
    fromName: null,
    replyTo: null,
    ...NEW_CAMPAIGN,
    createdAt: Date.now(),
  });

async function start({ stores }: RestFill, { id, workspaceId, audienceId }: Campaign): Promise<void> {
  const at = Date.now();
  const page = { workspaceId, audienceId, after: 0, joinedBy: at, limit: 1_000 };
  const { qualified, last } = await stores.campaignRuns.countMembers(page);
  const started = await stores.campaignRuns.start({
    workspaceId,
    id,
    from: 'draft',
    qualified,
    lastContactId: last,
    at,
  });
  if (started.kind !== 'started') throw new Error(`a campaign could not be started: ${JSON.stringify(started)}`);
}

async function newJourney(fill: RestFill, status: 'active' | 'paused'): Promise<void> {
  const { stores, workspaceId, count } = fill;
  const journey = await stores.journeys.create({
    workspaceId,
    name: `Rest ${status}`,
    status: 'active',
    triggerType: 'api',
    audienceId: null,
    steps: [WAIT],
    goal: null,
    secretSealed: 'k1.sealed',
    createdAt: Date.now(),
  });
  for (let n = 0; n < 10 * count; n += 1) {
    const of = { id: randomUUID(), workspaceId, journeyId: journey.id };
    await stores.journeyRuns.enroll({
      ...of,
      contact: contact(fill, status),
      at: Date.now(),
      agreed: { source: 'api', by: null },
    });
  }
  if (status === 'paused') await stores.journeys.setStatus(workspaceId, journey.id, 'paused', Date.now());
}

/** Deliveries wait when their webhook is switched off. */
async function newWebhook({ stores, workspaceId, count }: RestFill): Promise<void> {
  const webhook = await stores.webhooks.create({ ...WEBHOOK, workspaceId, isActive: true, createdAt: Date.now() }, 10);
  for (let n = 0; n < count; n += 1) {
    const about = { workspaceId, messageId: randomUUID(), link: null, reason: null };
    await stores.deliveries.fanOut(
      { ...about, id: randomUUID(), event: 'delivered', occurredAt: Date.now() },
      Date.now(),
    );
  }
  await stores.webhooks.disable(webhook!.id);
}

async function newSales({ stores, workspaceId, count }: RestFill): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const of = {
      id: randomUUID(),
      workspaceId,
      amount: 1_000,
      messageId: randomUUID(),
      contactId: null,
      orderId: null,
    };
    await stores.conversions.accept({ ...of, occurredAt: Date.now(), receivedAt: Date.now() });
  }
}

async function newImports({ stores, workspaceId, count }: RestFill): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const place = { id: randomUUID(), workspaceId, expiresAt: Date.now() + DAY };
    const progress = { name: 'a.csv', audience: null, read: 1, total: 2, line: 1, saidAt: 0, ended: null };
    await stores.records.add(IMPORTS, { ...place, body: progress }, Date.now());
  }
}
