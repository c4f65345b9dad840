import { Accounts } from '../../operations/installation/accounts';
import { MAX_WEBHOOKS, webhookSecretContext } from '../../domain/webhooks/webhook';
import { journeySecretContext, type JourneyStep } from '../../domain/journeys/journey';
import { DAY, HOUR, MINUTE, SECOND } from '../../lib/clock';
import type { OutgoingRecord } from '../../streams/records';
import { aContact, aHit } from './builders';
import { aCampaign, aJourney, anAudience, anEnrollment } from './marketing';
import type { Running } from './running';
import { Caller } from './running';
import { until } from '../contract/helpers';

/** Ids of messages, by the way they ended or wait. */
export interface Outcomes {
  delivered: string;
  withKey: string;
  bounced: string;
  complained: string;
  rejected: string;
  retried: string;
  exhausted: string;
  noRecord: string;
  late: string;
  expired: string;
  sent: string;
  queued: string;
  queuedWithFile: string;
  refused: string;
  /** A completed campaign: two recipients, and one skipped. */
  campaign: number;
  /** Enrollments in a journey: one that waits, and one that left. */
  enrolled: string;
  left: string;
  /** A sale linked to the second click of a mail of the campaign, and one that waits. */
  sale: string;
  waitingSale: string;
  /** Workspace of the demo: premium. */
  premium: number;
  /** A workspace that never bought coins. */
  free: number;
}

const FILE = { filename: 'nota.txt', content: Buffer.from('Nota').toString('base64') };

/** Sends mail to every kind of sandbox recipient; some messages end, some still wait. */
export async function playEveryOutcome(running: Running): Promise<Outcomes> {
  const { clock } = running;
  await subscribe(running, 1);
  const send = (kind: string, more: object = {}): Promise<string> => running.send(`${kind}@pelanggan.test`, more);
  const keyed = await running.api.request(
    'POST',
    '/messages',
    {
      to: 'delivered+kunci@pelanggan.test',
      subject: 'Halo',
      html: '<p><a href="https://toko.test/">Toko</a></p>',
      sending_domain_id: running.demo.sending_domain_id,
    },
    { 'idempotency-key': 'pesanan-0001' },
  );
  const ids = {
    delivered: await send('delivered', { attachments: [FILE] }),
    withKey: keyed.body.message_id as string,
    bounced: await send('hardbounce'),
    complained: await send('complaint'),
    rejected: await send('reject'),
    expired: await send('expired'),
    retried: await send('greylist'),
    exhausted: await send('defer', { attachments: [] }),
    noRecord: await send('norecord+satu'),
    late: await send('norecord+dua'),
  };
  await send('drop');
  await running.untilStatus(ids.delivered, 'delivered');
  await running.untilStatus(ids.bounced, 'bounced');
  await running.until(ids.complained, 'a complaint', ({ complainedAt }) => complainedAt !== null);
  await running.untilStatus(ids.rejected, 'failed');
  await running.untilStatus(ids.expired, 'failed');
  await forceSends(running);
  await running.until(ids.retried, 'the refusal', ({ failedReason }) => failedReason !== null);
  clock.advance(MINUTE + SECOND);
  await running.untilStatus(ids.retried, 'delivered');
  await exhaust(running, ids.exhausted);
  for (const id of [ids.noRecord, ids.late]) await running.untilStatus(id, 'sent_to_mta');
  clock.advance(2 * DAY);
  await forceSends(running);
  for (const id of [ids.noRecord, ids.late]) await running.untilStatus(id, 'failed');
  await report(running, ids.late);
  await engage(running, ids);
  const enrolled = await enrollTwo(running);
  const rest = await leaveWaiting(running);
  const campaign = await sendCampaign(running);
  return { ...ids, ...enrolled, ...rest, campaign, ...(await sell(running, campaign)), premium: 1 };
}

/** Sends to a malformed and to a suppressed address: one penalty each per 24 hours. */
async function forceSends({ api, demo }: Running): Promise<void> {
  for (const to of ['bukan alamat', 'hardbounce@pelanggan.test', 'bukan alamat']) {
    const mail = { to, subject: 'Halo', html: '<p>Halo</p>', sending_domain_id: demo.sending_domain_id };
    const { status } = await api.request('POST', '/messages', mail);
    if (status !== 422) throw new Error(`${to} was answered ${status}`);
  }
}

async function exhaust(running: Running, id: string): Promise<void> {
  for (;;) {
    const message = await running.until(id, 'an answer', ({ status }) => status === 'queued' || status === 'failed');
    if (message.status === 'failed') return;
    running.clock.advance(Math.max(1, (message.dueAt ?? 0) - running.clock.now()));
    await running.until(id, 'the next attempt', (m) => m.status === 'failed' || m.attempt > message.attempt);
  }
}

/** The recipients of two mails open them; one opens again an hour later, with a click. */
async function engage(
  { clock, kurir }: Running,
  { complained, delivered }: Record<'complained' | 'delivered', string>,
): Promise<void> {
  const { log, stores } = kurir.services.engine;
  const hit = (id: string, messageId: string, kind: 'open' | 'click', at: number): OutgoingRecord => ({
    topic: 'engagement.hits',
    key: messageId,
    value: aHit(messageId, { id, kind, at, link: kind === 'click' ? 0 : null }),
  });
  const now = clock.now();
  const hits = [
    hit('hit-1', complained, 'open', now),
    hit('hit-2', delivered, 'open', now - HOUR),
    hit('hit-3', delivered, 'click', now - 3 * HOUR),
  ];
  await log.publish(hits);
  const stored = async (): Promise<number> =>
    [...(await stores.signals.ofMessage(complained)), ...(await stores.signals.ofMessage(delivered))].length;
  await until(async () => (await stored()) >= hits.length);
}

/** A success report that arrives after the wait for it has ended. */
async function report(running: Running, id: string): Promise<void> {
  const feedback = {
    kind: 'delivered' as const,
    trusted: true,
    text: '',
    class: null,
    hard: false,
    at: running.clock.now(),
  };
  await running.kurir.services.engine.log.publish([
    { topic: 'mta.feedback', key: id, value: { messageId: id, feedback } },
  ]);
  await running.untilStatus(id, 'delivered');
}

async function leaveWaiting(
  running: Running,
): Promise<Pick<Outcomes, 'sent' | 'queued' | 'queuedWithFile' | 'refused' | 'free'>> {
  const { engine, keyring } = running.kurir.services;
  const { clock } = running;
  const accounts = new Accounts({ stores: engine.stores, keyring, clock });
  const { id: free } = await accounts.createWorkspace({
    name: 'Gratis',
    businessName: 'Gratis',
    businessAddress: 'Jl. 1',
  });
  await accounts.grant(free, 1_000, 'gift');
  const domain = await accounts.createDomain(free, 'gratis.test', 'active');
  const { text } = await accounts.createKey(free, { name: 'test', scopes: ['send_email'] });
  const api = new Caller(running.demo.base_url, text);
  const sends = async (count: number, more: object = {}): Promise<string[]> => {
    const ids: string[] = [];
    for (let n = 0; n < count; n += 1) ids.push(await api.send(`delivered+${n}@gratis.test`, domain.id, more));
    return ids;
  };
  const first = await sends(10);
  for (const id of first) await running.untilStatus(id, 'delivered');
  const refused = (await sends(1, { attachments: [FILE] }))[0]!;
  await engine.stores.workspaces.update(free, { suspended: true });
  clock.advance(2 * MINUTE);
  await running.untilStatus(refused, 'failed');
  await engine.stores.workspaces.update(free, { suspended: false });
  await subscribe(running, free);
  const second = await sends(10);
  for (const id of second) await running.untilStatus(id, 'delivered');
  const sent = await running.send('norecord+tiga@pelanggan.test');
  await running.untilStatus(sent, 'sent_to_mta');
  const [queued, queuedWithFile] = [(await sends(1))[0]!, (await sends(1, { attachments: [FILE] }))[0]!];
  await settled(running);
  return { sent, queued, queuedWithFile, refused, free };
}

/** A campaign of the demo's workspace to three new contacts, one of whom has unsubscribed. */
async function sendCampaign({ kurir, clock, demo, api }: Running): Promise<number> {
  const { stores } = kurir.services.engine;
  const workspace = (await stores.workspaces.update(1, { businessAddress: 'Jl. Contoh 1' }))!;
  const audience = await stores.audiences.create(anAudience(workspace.id));
  for (const [n, status] of (['subscribed', 'unsubscribed', 'subscribed'] as const).entries()) {
    const contact = aContact(workspace.id, { email: `delivered+campaign${n}@pelanggan.test` });
    const joined = await stores.audiences.join(workspace.id, audience.id, { contact }, clock.now());
    if (!('contact' in joined)) throw new Error('the contact did not join');
    if (status !== 'subscribed')
      await stores.contacts.raiseStatus(workspace.id, joined.contact.id, status, clock.now());
  }
  const domain = (await stores.domains.get(demo.sending_domain_id))!;
  const { id } = await stores.campaigns.create(aCampaign({ workspace, domain }, audience.id));
  const { status } = await api.request('POST', `/campaigns/${id}/send`, {});
  if (status !== 200) throw new Error(`the campaign was answered ${status}`);
  while ((await stores.campaigns.get(1, id))?.status !== 'completed') {
    clock.advance(SECOND);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return id;
}

/** Two contacts of a journey of the demo's workspace: both got its mail, and one unsubscribed then. */
async function enrollTwo({ kurir, clock, demo }: Running): Promise<Pick<Outcomes, 'enrolled' | 'left'>> {
  const { engine, keyring } = kurir.services;
  const { journeys, journeyRuns, contacts } = engine.stores;
  const mail = { kind: 'email', domainId: demo.sending_domain_id, subject: 'Halo', html: '<p>Halo</p>' } as const;
  const steps: JourneyStep[] = [
    { ...mail, text: null },
    { kind: 'webhook', url: 'https://127.0.0.1/kurir' },
    { kind: 'wait', ms: DAY },
    { ...mail, text: null },
  ];
  const secretSealed = keyring.seal('s'.repeat(40), journeySecretContext(1));
  const journey = await journeys.create(aJourney(1, { steps, secretSealed }));
  for (const n of [1, 2]) {
    const contact = aContact(1, { email: `delivered+journey${n}@pelanggan.test` });
    await journeyRuns.enroll({ ...anEnrollment(journey, contact), at: clock.now() });
  }
  const rows = () => journeyRuns.list({ workspaceId: 1, id: journey.id }, 0, 2);
  while ((await rows()).some(({ step }) => step !== 3)) {
    clock.advance(5 * SECOND);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const [enrolled, left] = await rows();
  await contacts.raiseStatus(1, left!.contactId, 'unsubscribed', clock.now());
  return { enrolled: enrolled!.id, left: left!.id };
}

/** A recipient of the campaign clicks twice and buys; somebody else buys, too. */
async function sell({ kurir, clock, api }: Running, campaign: number): Promise<Pick<Outcomes, 'sale' | 'waitingSale'>> {
  const { log, stores } = kurir.services.engine;
  const [first] = await stores.campaignRuns.recipients({ workspaceId: 1, id: campaign }, 0, 1);
  const now = clock.now();
  const hit = (id: string, at: number): OutgoingRecord => ({
    topic: 'engagement.hits',
    key: first!.messageId!,
    value: aHit(first!.messageId!, { id, kind: 'click', at, link: 0 }),
  });
  await log.publish([hit('hit-4', now - 2 * HOUR), hit('hit-5', now - 2 * SECOND)]);
  await api.request('POST', '/conversions', { amount: 75_000, email: first!.email, order_id: 'INV-1' });
  await api.request('POST', '/conversions', { amount: 1, email: 'tak.dikenal@pelanggan.test', order_id: 'INV-2' });
  const linked = async () => (await stores.conversions.list(1, {}, { offset: 0, limit: 1 })).items[0];
  await until(async () => (await linked())?.link.clickId === 'hit-5');
  while ((await stores.dueTasks.nextDue('conversion')) === null)
    await new Promise((resolve) => setTimeout(resolve, 20));
  const [waiting] = await stores.dueTasks.claim({
    kind: 'conversion',
    now: now + DAY,
    leaseUntil: now + DAY,
    limit: 1,
  });
  return { sale: (await linked())!.id, waitingSale: waiting!.id };
}

/** Registers a webhook whose deliveries all fail: its address is private. */
async function subscribe({ kurir, clock }: Running, workspaceId: number): Promise<void> {
  const { engine, keyring } = kurir.services;
  const url = 'https://127.0.0.1/kurir';
  const secretSealed = keyring.seal('s'.repeat(40), webhookSecretContext({ workspaceId, url }));
  const facts = { url, secretSealed, isActive: true, createdAt: clock.now() };
  await engine.stores.webhooks.create({ ...facts, workspaceId, eventTypes: ['delivered', 'bounce'] }, MAX_WEBHOOKS);
}

/** Waits until every pending ledger entry is booked, and every event is queued for its webhooks. */
async function settled({ kurir }: Running): Promise<void> {
  const { log } = kurir.services.engine;
  for (const group of ['coins', 'webhooks'] as const) {
    await until(async () => (await log.lag(group)) === 0);
  }
}
