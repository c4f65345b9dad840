import { beginSession } from '../../operations/people/sessions';
import { NEW_USER, USERS } from '../../operations/people/people';
import { NEW_CAMPAIGN } from '../../domain/campaigns/campaign';
import { journeySecretContext } from '../../domain/journeys/journey';
import { Keyring } from '../../domain/keyring';
import { webhookSecretContext } from '../../domain/webhooks/webhook';
import { eventId, newDelivery } from '../../domain/webhooks/webhook-delivery';
import { DAY, type Clock } from '../../lib/clock';
import type { Stores } from '../../stores/ports';
import type { NewWebhook } from '../../stores/ports/webhook-store';
import { SAMPLE } from './sample-mail';
import type { SeededSender } from './seed';
import { emailOf, Shop, SHOP, type ShopSize } from './shop-rows';

export interface FillDeps {
  stores: Stores;
  clock: Clock;
  secret: string;
}

/** What the addresses of the screens are made with. */
export interface Furnished {
  shop: Shop;
  /** The token of an operator's session. */
  session: string;
  /** What stands for a parameter: by the whole path, by its first word, or by the name of the parameter. */
  ids: Record<string, string>;
}

const OPERATOR = 'operator@bench.example';
const BATCH = 1_000;
const AT_ONCE = 100;
const ENROLLED = 500;
const SALES = 2_000;
/** Of the trail. */
const LINES = 300;

/**
 * Everything but the mails, by the stores' own methods: an operator, an audience of all contacts, campaigns, a
 * template, a webhook, a journey on which some are, sales, and lines of the trail.
 */
export async function furnish(deps: FillDeps, sender: SeededSender, size: ShopSize): Promise<Furnished> {
  const { stores, clock, secret } = deps;
  const keyring = new Keyring(secret);
  const at = clock.now();
  const audience = await addContacts(deps, keyring, size.contacts);
  const [first] = await stores.bulkContacts.contacts(SHOP, 0, 1);
  const shop = new Shop(size, at, first!.id);
  await addCampaigns(stores, shop, { audienceId: audience, domainId: sender.domainId });
  const content = { subject: 'Pesanan {{order_no}}', html: '<p>{{order_no}}</p>', text: null };
  const template = await stores.templates.create({
    workspaceId: SHOP,
    name: 'dikirim',
    ...content,
    createdAt: at,
    variables: [{ name: 'order_no', type: 'string' }],
  });
  const url = 'https://toko.example/hook';
  const secretSealed = keyring.seal('s'.repeat(40), webhookSecretContext({ workspaceId: SHOP, url }));
  const hook: NewWebhook = {
    workspaceId: SHOP,
    url,
    eventTypes: ['complaint'],
    isActive: true,
    secretSealed,
    createdAt: at,
  };
  const webhook = (await stores.webhooks.create(hook, 10))!;
  const journey = await addJourney(deps, keyring, sender.domainId, size.contacts);
  const list = { workspaceId: SHOP, name: 'Formulir', description: null, optInMode: 'double' as const, createdAt: at };
  const asking = await stores.audiences.create({ ...list, publicToken: 'formulir' });
  const session = await addOperator(deps);
  const act = { at, actor: OPERATOR, action: 'key show', workspaceId: SHOP };
  for (let n = 0; n < LINES; n += 1) await stores.operatorLog.append({ ...act, target: `key ${n}` });
  return {
    shop,
    session,
    ids: {
      contact: String(journey.contact),
      '/audiences/:id/confirmation': String(asking.id),
      campaigns: String(shop.largest.id),
      journeys: String(journey.id),
      contacts: String(first!.id + 7),
      audiences: String(audience),
      templates: String(template.id),
      domains: String(sender.domainId),
      webhooks: String(webhook.id),
      users: OPERATOR,
      workspaces: String(SHOP),
    },
  };
}

async function addContacts({ stores, clock }: FillDeps, keyring: Keyring, contacts: number): Promise<number> {
  const createdAt = clock.now() - 100 * DAY;
  const list = { workspaceId: SHOP, name: 'Pelanggan', description: null, optInMode: 'single' as const, createdAt };
  const { id } = await stores.audiences.create({ ...list, publicToken: 'pelanggan' });
  for (let n = 0; n < contacts; n += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, contacts - n) }, (_, i) => {
      const email = emailOf(n + i);
      const contact = { email, emailHash: keyring.hashAddress(email), name: `Pelanggan ${n + i}` };
      return { ...contact, status: 'subscribed' as const };
    });
    await stores.bulkContacts.add({ workspaceId: SHOP, audienceId: id, contacts: batch, at: createdAt });
  }
  return id;
}

/** Campaigns that are over, and drafts. */
async function addCampaigns(stores: Stores, shop: Shop, of: { audienceId: number; domainId: number }): Promise<void> {
  const sender = { fromEmail: null, fromName: null, replyTo: null, preheader: null, blocks: null };
  await inChunks(shop.campaigns, async (campaign, n) => {
    const { sentAt, mails: recipients } = campaign;
    const state = sentAt === null ? {} : { status: 'completed' as const, sentAt, recipients };
    const content = { ...SAMPLE, ...sender, subject: `Promo ${n}: diskon untuk Anda` };
    const createdAt = (sentAt ?? shop.now) - DAY;
    const made = { ...NEW_CAMPAIGN, ...content, ...of, ...state, workspaceId: SHOP, createdAt };
    campaign.id = (await stores.campaigns.create(made)).id;
  });
}

/** Calls `make` for each item, some at a time. */
async function inChunks<T>(items: readonly T[], make: (item: T, n: number) => Promise<unknown>): Promise<void> {
  for (let n = 0; n < items.length; n += AT_ONCE) {
    await Promise.all(items.slice(n, n + AT_ONCE).map((item, place) => make(item, n + place)));
  }
}

async function addJourney({ stores, clock }: FillDeps, keyring: Keyring, domainId: number, contacts: number) {
  const { id } = await stores.journeys.create({
    workspaceId: SHOP,
    name: 'Sambutan',
    status: 'active',
    triggerType: 'api',
    audienceId: null,
    goal: { event: 'conversion', ends: true },
    createdAt: clock.now(),
    secretSealed: keyring.seal('s'.repeat(40), journeySecretContext(SHOP)),
    steps: [
      { kind: 'wait', ms: 20 * DAY },
      { kind: 'email', domainId, subject: 'Halo', html: '<p>Halo</p>', text: null },
    ],
  });
  const at = clock.now();
  await inChunks(Array.from({ length: Math.min(ENROLLED, contacts) }), async (_, n) => {
    const email = emailOf(n);
    const contact = { workspaceId: SHOP, email, emailHash: keyring.hashAddress(email), name: null, at };
    await stores.journeyRuns.enroll({
      id: rowId(1, n),
      workspaceId: SHOP,
      journeyId: id,
      contact,
      at,
      agreed: { source: 'api', by: null },
    });
  });
  const contact = (await stores.contacts.find(SHOP, emailOf(0)))!.id;
  return { id, contact };
}

async function addOperator({ stores: { records }, clock }: FillDeps): Promise<string> {
  const createdAt = clock.now();
  const body = { ...NEW_USER, operator: true, createdAt };
  await records.add(USERS, { id: OPERATOR, user: OPERATOR, body }, createdAt);
  return beginSession({ records, clock }, OPERATOR, { by: 'password', address: '127.0.0.1', agent: 'bench' });
}

const rowId = (kind: number, n: number): string => `01900000-0000-7000-900${kind}-${String(n).padStart(12, '0')}`;

/** Sales, each linked by the service's own rule to a click that came before; once the mails are there. */
export async function addSales({ stores, clock }: FillDeps, { signals }: Shop): Promise<string> {
  const clicks = [...signals.values()].flat().filter(({ kind }) => kind === 'click');
  await inChunks(clicks.slice(0, SALES), async ({ messageId, at }, n) => {
    const owner = { messageId, contactId: null, orderId: `INV-${n}` };
    const times = { occurredAt: at + 1_000, receivedAt: clock.now() };
    await stores.conversions.accept({ id: rowId(2, n), workspaceId: SHOP, amount: 150_000, ...owner, ...times });
    await stores.conversions.link(rowId(2, n));
  });
  return rowId(2, 0);
}

/** Deliveries of a webhook for mails of the shop. Returns the id of one of them. */
export async function addDeliveries(
  { stores, clock }: FillDeps,
  webhookId: number,
  ids: readonly string[],
): Promise<string> {
  const at = clock.now();
  const facts = { workspaceId: SHOP, event: 'complaint' as const, occurredAt: at, link: null, reason: null };
  const deliveries = ids.map((messageId) => {
    const id = eventId({ messageId, event: 'complaint', occurredAt: at, reason: null });
    return newDelivery({ ...facts, id, messageId }, { id: webhookId, enabledAt: at }, at);
  });
  await stores.deliveries.enqueue(deliveries, 0, at);
  await stores.deliveries.cancelWaiting(webhookId);
  return deliveries[0]!.id;
}
