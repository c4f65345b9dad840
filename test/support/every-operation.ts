import { expect } from '@jest/globals';
import { DatabaseSync } from '@photostructure/sqlite';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ALARMS } from '../../operations/alarms/list-alarms';
import { DATABASE } from '../../operations/installation/data-dir';
import { NEW_DESTINATION } from '../../domain/destinations/destination-state';
import { DESTINATIONS } from '../../operations/destinations/destination-states';
import { USERS, NEW_USER, setMembership } from '../../operations/people/people';
import { alarmId, nextStep } from '../../domain/alarms/alarm';
import { refund } from '../../domain/ledger/coins';
import { imageId } from '../../domain/images/image';
import { webhookSecretContext } from '../../domain/webhooks/webhook';
import { fieldName, optionName, type Input, type Operation } from '../../operations/definition';
import { eventually } from '../contract/helpers';
import { aSignal, aWebhook } from './builders';
import { TEST_START } from './clock';
import { anyTask } from './due-work';
import { SAMPLE_PNG } from './images';
import { aCampaign, aConversion, aJourney } from './marketing';
import type { Running } from './running';

/** A command line for each command, with what makes its answer whole. */
export const LINES: Record<string, string> = {
  'workspace create': 'workspace create Melati --address Bandung',
  'workspace list': 'workspace list',
  'workspace show': 'workspace show Demo',
  'workspace rate': 'workspace rate Melati --per-minute 5000 --per-day none',
  'workspace suspend': 'workspace suspend Melati',
  'workspace resume': 'workspace resume Melati',
  'workspace module': 'workspace module Melati on',
  'workspace profile': 'workspace profile Melati --address Bandung',
  'key create': 'key create Melati --name toko',
  'key list': 'key list Melati',
  'key show': 'key show toko',
  'key revoke': 'key revoke toko',
  'smtp create': 'smtp create Melati',
  'smtp list': 'smtp list Melati',
  'smtp show': 'smtp show 2',
  'smtp rotate': 'smtp rotate 2',
  'domain add': 'domain add Melati melati.example',
  'domain list': 'domain list',
  'domain show': 'domain show melati.example',
  'domain check': 'domain check melati.example --resolver 127.0.0.1:1',
  'domain activate': 'domain activate melati.example --resolver 127.0.0.1:1',
  'domain suspend': 'domain suspend melati.example',
  'domain set': 'domain set melati.example --category transactional',
  'domain rotate': 'domain rotate melati.example',
  'domain doctor': 'domain doctor melati.example --resolver 127.0.0.1:1',
  'domain dmarc': 'domain dmarc melati.example',
  'domain tls': 'domain tls melati.example',
  'domain dns': 'domain dns --mx-host mail.example.net --spf ip4:203.0.113.7',
  'coins top-up': 'coins top-up Melati 500 --expires 90d',
  'coins grant': 'coins grant Melati 300',
  'coins balance': 'coins balance Melati',
  'coins ledger': 'coins ledger Demo',
  'suppress add': 'suppress add budi@example.com --workspace Demo',
  'suppress remove': 'suppress remove budi@example.com --workspace Demo',
  'suppress list': 'suppress list --workspace Demo',
  'suppress check': 'suppress check budi@example.com --workspace Demo',
  'suppress import': 'suppress import KONTAK --workspace Demo',
  'suppress export': 'suppress export --workspace Demo',
  'contact list': 'contact list Demo',
  'contact show': 'contact show Demo hardbounce@example.test',
  'contact data': 'contact data Demo hardbounce@example.test',
  'contact add': 'contact add Demo rina@example.com --name Rina --consent',
  'contact rename': 'contact rename Demo rina@example.com --name Rini',
  'contact columns': 'contact columns Demo KONTAK',
  'contact import': 'contact import Demo KONTAK --consent',
  'contact export': 'contact export Demo',
  'contact resubscribe': 'contact resubscribe Demo hardbounce@example.test --consent',
  'contact delete': 'contact delete Demo budi@example.com',
  'audience create': 'audience create Demo Pelanggan --description Setia --opt-in double',
  'audience list': 'audience list Demo',
  'audience show': 'audience show Demo Pelanggan',
  'audience set': 'audience set Demo Pelanggan --redirect-hosts toko.example',
  'audience import': 'audience import Demo Pelanggan KONTAK --consent',
  'audience members': 'audience members Demo Pelanggan',
  'audience export': 'audience export Demo Pelanggan',
  'audience form': 'audience form Demo Pelanggan',
  'campaign create':
    'campaign create Demo --subject Promo --audience Pelanggan --domain 1 --html HTML --preheader Baru',
  'campaign edit': 'campaign edit Demo 2 --preheader Baru',
  'campaign copy': 'campaign copy Demo 2 --subject Lagi',
  'campaign delete': 'campaign delete Demo 3',
  'campaign list': 'campaign list Demo',
  'campaign show': 'campaign show Demo 2',
  'campaign links': 'campaign links Demo 1',
  'campaign preview': 'campaign preview Demo 2 1',
  'campaign test': 'campaign test Demo 2 siti@melati.example',
  'campaign ask': 'campaign ask Demo 2',
  'campaign approve': 'campaign approve Demo 2',
  'campaign decline': 'campaign decline Demo 2',
  'campaign schedule': 'campaign schedule Demo 2 --at 2026-01-20T09:00:00Z',
  'campaign unschedule': 'campaign unschedule Demo 2',
  'campaign send': 'campaign send Demo 2',
  'campaign pause': 'campaign pause Demo 1',
  'campaign resume': 'campaign resume Demo 1',
  'campaign cancel': 'campaign cancel Demo 1',
  'campaign recipients': 'campaign recipients Demo 1',
  'image add': 'image add Demo PHOTO',
  'image list': 'image list Demo',
  'image delete': 'image delete Demo IMAGE',
  'template create': 'template create Demo Dikirim --subject Hai --html HTML --variables order_no:string',
  'template edit': 'template edit Demo Dikirim --subject Halo',
  'template list': 'template list Demo',
  'template show': 'template show Demo Dikirim',
  'template preview': 'template preview Demo Dikirim',
  'template delete': 'template delete Demo Dikirim',
  'journey validate': 'journey validate Demo JOURNEY',
  'journey create': 'journey create Demo JOURNEY',
  'journey edit': 'journey edit Demo Sambutan JOURNEY',
  'journey draft': 'journey draft Demo Sambutan JOURNEY',
  'journey discard': 'journey discard Demo Sambutan',
  'journey show': 'journey show Demo Sambutan',
  'journey versions': 'journey versions Demo Sambutan',
  'journey dry-run': 'journey dry-run Demo Sambutan',
  'journey list': 'journey list Demo',
  'journey activate': 'journey activate Demo Sambutan',
  'journey enroll': 'journey enroll Demo Sambutan sari@example.test --consent',
  'journey enrollments': 'journey enrollments Demo Sambutan',
  'journey posts': 'journey posts Demo Konsep',
  'journey remove': 'journey remove Demo Sambutan sari@example.test',
  'journey pause': 'journey pause Demo Sambutan',
  'journey delete': 'journey delete Demo Konsep',
  'journey rotate-secret': 'journey rotate-secret Demo Sambutan',
  'conversion list': 'conversion list Demo',
  'conversion show': 'conversion show SALE',
  'conversion revenue': 'conversion revenue Demo',
  'webhook list': 'webhook list Demo',
  'webhook show': 'webhook show 1',
  'webhook create': 'webhook create Demo https://93.184.216.34/hook --events complaint',
  'webhook delete': 'webhook delete 2',
  'webhook deliveries': 'webhook deliveries 1',
  'webhook delivery': 'webhook delivery 1 DELIVERY',
  'webhook retry': 'webhook retry 1 DELIVERY',
  'webhook test': 'webhook test 1',
  'webhook replay': 'webhook replay 1 --from 2026-01-01T00:00Z',
  'webhook enable': 'webhook enable 1',
  'webhook disable': 'webhook disable 1',
  switch: 'switch api on',
  'warmup cap': 'warmup cap 500',
  'warmup off': 'warmup off',
  'warmup show': 'warmup show',
  'warmup start': 'warmup start --domain melati.example',
  'warmup plan': 'warmup plan --domain melati.example',
  'warmup stop': 'warmup stop --domain melati.example',
  'message show': 'message show MESSAGE',
  'message list': 'message list Demo',
  'message stats': 'message stats Demo',
  'message mail': 'message mail MESSAGE',
  'message send-again': 'message send-again SENT',
  'queue list': 'queue list',
  'destination list': 'destination list',
  'destination resume': 'destination resume kantor.example',
  'alarm list': 'alarm list',
  'bounce explain': 'bounce explain 5.1.1',
  'bounce unknown': 'bounce unknown',
  'bounce list': 'bounce list --unread',
  'bounce summary': 'bounce summary',
  'dead-letters list': 'dead-letters list',
  'dead-letters redrive': 'dead-letters redrive 2',
  'due-work list': 'due-work list',
  'due-work redrive': 'due-work redrive confirm-mail/7',
  demo: 'demo',
  'sandbox inbox': 'sandbox inbox',
  'sandbox hooks': 'sandbox hooks',
  'sandbox advance': 'sandbox advance 10m',
  'sandbox now': 'sandbox now',
  'sandbox reset': 'sandbox reset --yes',
  'topics list': 'topics list',
  'topics create': 'topics create',
  'topics grow': 'topics grow 16 --topic messages.dispatch',
  'topics move': 'topics move',
  'indexes list': 'indexes list',
  'indexes create': 'indexes create',
  'upgrade check': 'upgrade check',
  health: 'health',
  doctor: 'doctor',
  audit: 'audit',
  pii: 'pii budi@example.com',
  backup: 'backup BACKUP',
  restore: 'restore BACKUP --into RESTORED',
  'admin-key create': 'admin-key create ci --workspace Demo --role developer --expires 90d',
  'admin-key list': 'admin-key list',
  'admin-key revoke': 'admin-key revoke ci',
  'user invite': 'user invite siti@melati.example --role editor --workspace Demo',
  'user list': 'user list',
  'user reset': 'user reset budi@melati.example',
  'user role': 'user role budi@melati.example --role developer --workspace Demo',
  'user remove': 'user remove siti@melati.example --workspace Demo',
  'user disable': 'user disable budi@melati.example',
  'user enable': 'user enable budi@melati.example',
  log: 'log',
};

/** What the words in capitals stand for: ids of what was made, and paths of files. */
export type Words = Readonly<Record<string, string>>;

/** The sandbox with pacing by destination, which a warm-up needs. */
export const PACED = { KURIR_DESTINATION_RULES: join(__dirname, '../../domain/destinations/rules.json') };

/** Fills the demo workspace, so that each line of `LINES`, in their order, answers something whole. */
export async function fillForEveryOperation(running: Running): Promise<Words> {
  const { stores } = running.kurir.services.engine;
  // A private address: the attempt fails without a connection.
  const hook = aWebhook(1, { url: 'https://127.0.0.1:9/hook', eventTypes: ['bounce'] });
  const secretSealed = running.kurir.services.keyring.seal('s'.repeat(40), webhookSecretContext(hook));
  await stores.webhooks.create({ ...hook, secretSealed }, 1);
  const workspace = await stores.workspaces.update(1, { businessAddress: 'Jl. Contoh 1' });
  const domain = await stores.domains.get(1);
  if (!workspace || !domain) throw new Error('no demo');
  await stores.campaigns.create(aCampaign({ workspace, domain }, 1, { status: 'live', sentAt: TEST_START }));
  const message = await running.send('hardbounce@example.test');
  await running.untilStatus(message, 'bounced');
  const sent = await running.send('siti@example.test');
  await running.untilStatus(sent, 'delivered');
  for (const at of [TEST_START - 180_000, TEST_START - 120_000]) {
    await stores.signals.store(aSignal(message, { kind: 'click', at }), 1, []);
  }
  const sold = aConversion(1, { messageId: message, orderId: 'INV-1' });
  await stores.conversions.accept(sold);
  await stores.conversions.link(sold.id);
  const delivery = await eventually(async () => {
    const [made] = await stores.deliveries.ofMessage(message);
    expect(made?.attempts).toHaveLength(1);
    return made?.id ?? '';
  });
  const why = { rule: 'too-fast', reply: '450 4.7.1 Too fast', messageId: message, at: TEST_START };
  const slowed = { ...NEW_DESTINATION, why, factor: 0.5, factorUntil: TEST_START + 60_000 };
  await stores.records.add(DESTINATIONS, { id: 'kantor.example', body: slowed }, TEST_START);
  const trouble = {
    kind: 'complaints',
    subject: '1',
    workspaceId: 1,
    text: 'Workspace Demo draws complaints.',
  } as const;
  const { alarm } = nextStep(null, trouble, TEST_START)!;
  const stands = {
    id: alarmId(alarm),
    workspaceId: 1,
    body: alarm,
  } as const;
  await stores.records.add(ALARMS, stands, TEST_START);
  const people = { records: stores.records, clock: running.clock };
  const person = { id: 'budi@melati.example', user: 'budi@melati.example' };
  const trust = { by: 'mail', at: TEST_START } as const;
  const body = { ...NEW_USER, name: 'Budi', createdAt: TEST_START, trust };
  await stores.records.add(USERS, { ...person, body }, TEST_START);
  await setMembership(people, { user: person.id, workspaceId: 1, role: 'viewer' });
  const confirm = { kind: 'confirm-mail', id: '7', workspaceId: 1, lane: '', dueAt: TEST_START };
  await stores.dueTasks.schedule([anyTask({ ...confirm, payload: { language: 'xx' } })]);
  const leaseUntil = TEST_START + 60_000;
  const [due] = await stores.dueTasks.claim({ kind: 'confirm-mail', now: TEST_START, leaseUntil, limit: 1 });
  await stores.dueTasks.giveUp(due!, 'a reason', TEST_START);
  const { log } = running.kurir.services.engine;
  const value = refund(1, message, 1, TEST_START);
  const place = { topic: 'coins.entries' as const, partition: 0, offset: 1, version: 1, forGroup: null };
  const record = { ...place, key: '1', value, at: TEST_START };
  for (let n = 0; n < 2; n += 1) await log.park(record, 'coins', 'a reason');
  writeFileSync(join(running.dataDir, 'promo.html'), '<p>Halo {{nama|Kak}}</p>');
  writeFileSync(join(running.dataDir, 'promo.png'), SAMPLE_PNG);
  writeFileSync(join(running.dataDir, 'kontak.csv'), 'email,name\nbudi@example.com,Budi\nbukan-alamat,\n');
  const goal = { event: 'click', ends: true };
  const sambutan = { name: 'Sambutan', trigger: 'api', goal, steps: [{ type: 'wait', for: '3d' }] };
  writeFileSync(join(running.dataDir, 'journey.yaml'), JSON.stringify(sambutan));
  await stores.journeys.create(aJourney(1, { name: 'Konsep', status: 'draft' }));
  // For the audit to have something to tell.
  const db = new DatabaseSync(join(running.dataDir, DATABASE));
  db.exec('UPDATE balances SET balance = balance + 7');
  db.exec(`INSERT INTO journey_posts SELECT '0199a1b2-c3d4-7f5a-8b7c-8d9e0f1a2b3c', 1, 1, id, 1, 1, 'given_up',
    '[{"at":1,"status":500,"error":"no","durationMs":3,"answer":"no"}]' FROM journeys WHERE name = 'Konsep'`);
  db.close();
  return {
    MESSAGE: message,
    SENT: sent,
    DELIVERY: delivery,
    SALE: sold.id,
    HTML: join(running.dataDir, 'promo.html'),
    PHOTO: join(running.dataDir, 'promo.png'),
    IMAGE: imageId(running.kurir.services.keyring, 1, SAMPLE_PNG),
    KONTAK: join(running.dataDir, 'kontak.csv'),
    JOURNEY: join(running.dataDir, 'journey.yaml'),
    BACKUP: join(running.dataDir, 'backup.tar'),
    RESTORED: join(running.dataDir, 'restored'),
  };
}

/** A line as other interfaces than the command line send it: `words` behind the name of the command. */
export function inputOf(operation: Operation, words: readonly string[]): Input {
  const places = Object.entries(operation.arguments);
  const options = new Map(
    Object.entries(operation.options).map(([key, param]) => [optionName(key), [key, param] as const]),
  );
  const input: Record<string, unknown> = {};
  const left = [...words];
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    const named = options.get(word);
    const [key, param] = named ?? places.shift() ?? [];
    if (key === undefined || !param) throw new Error(`${operation.name} has no place for ${word}`);
    const value = (text: string): unknown => (param.schema?.type === 'boolean' ? text === 'on' : text);
    if (param.form === 'switch') input[fieldName(key)] = true;
    else {
      const text = named ? left.shift()! : word;
      const isList = param.form === 'list';
      const one = param.file ? readFileSync(text, param.file === 'bytes' ? 'base64' : 'utf8') : value(text);
      input[fieldName(key)] = isList ? [...((input[fieldName(key)] as unknown[] | undefined) ?? []), one] : one;
      if (isList && !named) places.unshift([key, param]);
    }
  }
  return input;
}
