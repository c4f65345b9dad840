import { deflateSync } from 'node:zlib';
import { JOURNEY_DRAFTS } from '../../operations/journeys/keep-draft';
import type { Block } from '../../domain/campaigns/block';
import { journeySecretContext } from '../../domain/journeys/journey';
import { DAY, MINUTE } from '../../lib/clock';
import { Accounts } from '../../operations/installation/accounts';
import { startCampaign } from '../../operations/campaigns/start-campaign';
import { createAdminKey } from '../../operations/people/admin-keys';
import { makeTicket } from '../../operations/people/tickets';
import { eventually } from '../contract/helpers';
import { aSignal, messageId } from '../support/builders';
import { imageChunk } from '../support/images';
import { aCampaign, aConversion, anAudience } from '../support/marketing';
import { compileBlocks } from '../../email/blocks/compile-blocks';
import type { Running } from '../support/running';
import type { Dashboarded } from './visitor';

/** Fills the demo workspace with something for every screen: mails that arrive, bounce and wait, and people. */
export async function fillWorkspace(service: Running): Promise<void> {
  const origin = service.api.baseUrl.replace(/\/v1$/, '');
  const hook = { url: `${origin}/sandbox/hooks/toko`, event_types: ['delivered', 'bounce'] };
  await service.api.request('POST', '/webhooks', hook);
  const template = { name: 'dikirim', subject: 'Pesanan {{order_no}} dikirim', html: '<h1>Pesanan {{order_no}}</h1>' };
  const variables = [{ name: 'order_no', type: 'string' }];
  await service.api.request('POST', '/templates', { ...template, variables });
  const delivered = await service.send('siti@penerima.example', { subject: 'Pesanan <b>Anda</b> "dikirim"' });
  const bounced = await service.send('hardbounce@penerima.example');
  await service.untilStatus(delivered, 'delivered');
  await service.untilStatus(bounced, 'bounced');
  const { stores, clock } = service;
  const { keyring } = service.kurir.services;
  await new Accounts({ stores, clock, keyring }).createDomain(1, 'belum.example', 'dns_failed');
  await service.send('nanti@penerima.example', { send_at: new Date(service.clock.now() + 3_600_000).toISOString() });
  await fillAudience(service, delivered);
  await fillJourney(service);
  await fillCampaigns(service);
  await fillFailures(service);
  const files = [{ filename: 'nota.txt', content: Buffer.from('Nota').toString('base64') }];
  const more = { subject: 'Nota pesanan 1042', attachments: files, metadata: { order_id: '1042' } };
  await service.untilStatus(await service.send('siti@penerima.example', more), 'delivered');
}

/** A campaign of blocks that waits for an owner, and one that is out. */
async function fillCampaigns(service: Running): Promise<void> {
  const { stores, clock } = service;
  const domain = (await stores.domains.get(1))!;
  const workspace = (await stores.workspaces.update(1, { businessAddress: 'Jl. Contoh 1' }))!;
  const [audience] = await stores.audiences.list(1);
  const blocks: readonly Block[] = [
    { kind: 'heading', text: 'Diskon akhir tahun' },
    { kind: 'text', text: 'Halo {{nama|Kak}}, hanya **hari ini**.' },
    { kind: 'button', label: 'Lihat', url: 'https://toko.example/' },
    {
      kind: 'columns',
      columns: [[{ kind: 'text', text: 'Kiri' }], [{ kind: 'divider' }]],
    },
  ];
  const html = await compileBlocks(blocks, 'id');
  const of = { workspace, domain };
  const approval = { state: 'asked', by: 'dewi@toko.example', at: clock.now() } as const;
  await stores.campaigns.create(aCampaign(of, audience!.id, { subject: 'Diskon akhir tahun', html, blocks, approval }));
  const content = { subject: 'Promo <terkirim>', html: '<a href="https://toko.example/promo">Promo</a>' };
  const everybody = await stores.audiences.create(anAudience(1, { name: 'Semua' }));
  await service.api.request('POST', '/contacts', { email: 'hardbounce@lain.example', consent: true });
  for (const { id: contactId } of (await stores.contacts.list(1, { offset: 0, limit: 9 })).items) {
    await stores.audiences.join(1, everybody.id, { contactId }, clock.now());
  }
  const sent = await stores.campaigns.create(aCampaign(of, everybody.id, content));
  await startCampaign(service, sent);
  await stores.workspaces.update(1, { campaignApproval: true });
  const message = await eventually(async () => {
    const recipients = await stores.campaignRuns.recipients(sent, 0, 9);
    const found = recipients.find(({ email }) => email === 'siti@penerima.example')?.messageId;
    if (!found) throw new Error('no mail of the campaign yet');
    return found;
  });
  await service.untilStatus(message, 'delivered');
  await stores.signals.store(aSignal(message, { kind: 'click', at: clock.now(), link: 0 }), 1, []);
}

/** An image of one colour, as a program that draws would write it. */
function banner(width: number, height: number): Buffer {
  const size = Buffer.alloc(13);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  // 8 bits of each colour.
  size.set([8, 2], 8);
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(3 * width, Buffer.from([11, 94, 75]))]);
  const rows = deflateSync(Buffer.concat(Array<Buffer>(height).fill(row)));
  const start = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([
    start,
    imageChunk('IHDR', size),
    imageChunk('IDAT', rows),
    imageChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A record and a piece of work that failed for good, which wait for an operator. */
async function fillFailures({ kurir, stores, clock }: Running): Promise<void> {
  const value = { id: messageId(), workspaceId: 1, kind: 'refund', amount: 1, messageId: messageId(), at: clock.now() };
  const record = { topic: 'coins.entries', partition: 0, offset: 0, key: '1', version: 1, forGroup: null } as const;
  await kurir.services.engine.log.park({ ...record, value, at: clock.now() }, 'coins', 'the ledger has no such debit');
  const dueAt = clock.now() + DAY;
  const work = { kind: 'conversion', id: messageId(), workspaceId: 1, lane: 'failed', payload: {} } as const;
  await stores.dueTasks.schedule([{ ...work, dueAt }]);
  const claimed = { kind: work.kind, lane: work.lane, now: dueAt, leaseUntil: dueAt + MINUTE, limit: 1 };
  for (const task of await stores.dueTasks.claim(claimed)) {
    await stores.dueTasks.giveUp(task, 'the sale is not stored', clock.now());
  }
}

/** A journey with every kind of step, and a contact that is on its way through it. */
async function fillJourney(service: Running): Promise<void> {
  const { journeys } = service.stores;
  const mail = { kind: 'email', domainId: 1, html: '<p>Halo <a href="https://toko.example/">toko</a></p>' } as const;
  const journey = await journeys.create({
    workspaceId: 1,
    name: 'Sambutan pelanggan <baru>',
    status: 'active',
    triggerType: 'api',
    audienceId: null,
    goal: { event: 'conversion', ends: true },
    createdAt: service.clock.now(),
    secretSealed: service.kurir.services.keyring.seal('s'.repeat(40), journeySecretContext(1)),
    steps: [
      { ...mail, subject: 'Selamat datang di toko kami, {{nama|Kak}}', text: null },
      { kind: 'wait', ms: 2 * DAY },
      {
        kind: 'branch',
        on: { kind: 'clicked', step: 1 },
        then: [{ kind: 'add_to_audience', audienceId: 99 }],
        else: [
          { ...mail, subject: 'Sudah lihat?', text: null },
          { kind: 'branch', on: { kind: 'goal' }, then: [], else: [{ kind: 'wait', ms: DAY }] },
        ],
      },
      { kind: 'webhook', url: 'https://toko.example/hook' },
    ],
  });
  const html = '<p>Halo</p>';
  const draft = {
    name: 'Sambutan',
    trigger: 'form_subscribe',
    goal: { event: 'click', ends: false },
    steps: [
      { type: 'email', domain: '1', subject: 'Selamat datang, {{nama|Kak}}', html },
      { type: 'wait', for: '1d12h' },
      {
        type: 'branch',
        if: { opened: 1 },
        then: [{ type: 'webhook', url: 'https://toko.example/hook' }],
        else: [{ type: 'email', domain: '1', subject: 'Sudah lihat?', html }],
      },
    ],
  };
  await service.stores.records.add(
    JOURNEY_DRAFTS,
    {
      id: String(journey.id),
      workspaceId: 1,
      body: { text: JSON.stringify(draft), changedAt: service.clock.now(), changedBy: 'dewi@toko.example', base: 1 },
    },
    service.clock.now(),
  );
  await service.api.request('POST', `/journeys/${journey.id}/enroll`, {
    email: 'rina@penerima.example',
    consent: true,
  });
  await service.advance(2 * MINUTE);
}

/** Members of the demo workspace, and somebody who is invited to it. */
export async function fillPeople(subject: Dashboarded): Promise<void> {
  await subject.person('siti.nurhaliza@toko-melati.example', { 1: 'editor' });
  const budi = await subject.person('budi@toko.example', { 1: 'owner' });
  await budi.post('/app/w/1/suppressions/add', { emails: 'jangan@penerima.example' });
  const file = new File([new Uint8Array(banner(600, 200))], 'spanduk.png', { type: 'image/png' });
  await budi.upload('/app/w/1/images', {}, { file });
  const grant = { operator: false, workspaceId: 1, role: 'viewer' } as const;
  await makeTicket(subject.people, 'invite', 'dewi@toko.example', grant);
  const key = { name: 'terraform', role: 'developer', expiresAt: null, createdBy: 'budi@toko.example' } as const;
  await createAdminKey(subject.people, { ...key, workspaceId: 1 });
}

/** An audience with members, one of which clicked in a mail and bought something. */
async function fillAudience({ stores, clock }: Running, message: string): Promise<void> {
  const { id } = await stores.audiences.create(anAudience(1, { name: 'Pelanggan <setia>', optInMode: 'double' }));
  for (const { id: contactId } of (await stores.contacts.list(1, { offset: 0, limit: 9 })).items) {
    await stores.audiences.join(1, id, { contactId }, clock.now());
  }
  await stores.signals.store(aSignal(message, { kind: 'click', at: clock.now(), link: 0 }), 1, []);
  const sale = aConversion(1, { messageId: message, amount: 250_000, orderId: 'INV-<1>', occurredAt: clock.now() + 1 });
  await stores.conversions.accept(sale);
  await stores.conversions.link(sale.id);
}
