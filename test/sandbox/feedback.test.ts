import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createReportListener, type ReportListener } from '../../smtp/reports/report-listener';
import type { AdvancingClock } from '../../lib/advancing-clock';
import { MINUTE } from '../../lib/clock';
import { Keyring } from '../../domain/keyring';
import { verpLocalPart } from '../../domain/messages/message-tokens';
import { createSandbox, type Sandbox } from '../../sandbox/sandbox';
import type { FeedbackRecord } from '../../streams/record-values';
import type { OutgoingRecord } from '../../streams/records';
import { frozenClock } from '../support/clock';
import { Client, NOTIFY_ALL, simpleMail, temporaryDir } from './support';

const keyring = new Keyring('a master secret of thirty-two characters');
let clock: AdvancingClock;
let published: OutgoingRecord[];
let failures: number;
let listener: ReportListener;
let sandbox: Sandbox;
let client: Client;
let dir: ReturnType<typeof temporaryDir>;

beforeEach(async () => {
  dir = temporaryDir();
  clock = frozenClock();
  published = [];
  failures = 0;
  listener = createReportListener({
    keyring,
    clock,
    log: {
      publish: async (records) => {
        if (failures-- > 0) throw new Error('the log is away');
        published.push(...records);
      },
    },
    port: 0,
    hostname: 'reports.kurir.test',
    isTrustedPeer: () => true,
  });
  const { port: reportPort } = await listener.listen();
  sandbox = createSandbox({
    file: join(dir.path, 'sandbox.sqlite'),
    clock,
    port: 0,
    reports: () => ({ host: '127.0.0.1', port: reportPort }),
    hostname: 'sandbox.kurir.test',
  });
  client = await Client.open((await sandbox.listen()).port);
});
afterEach(async () => {
  client.close();
  await sandbox.close();
  await listener.close();
  dir.remove();
});

let serial = 0;
/** Hands a message over as the service does. */
async function handOver(localPart: string): Promise<string> {
  const id = `01948f3a-7c00-7abc-8def-${String(++serial).padStart(12, '0')}`;
  const dsn = { envid: id, notify: [...NOTIFY_ALL], ret: 'HDRS', orcpt: `rfc822;${localPart}@b.example` };
  const from = `${verpLocalPart(keyring, id)}@bounce.demo.kurir.test`;
  await client.send({ from, to: `${localPart}@b.example`, dsn }, simpleMail(id));
  return id;
}

async function feedback(): Promise<[string, string, string][]> {
  await sandbox.idle();
  return published.map(({ value }) => {
    const { messageId, feedback: heard } = value as FeedbackRecord;
    return [messageId, heard.kind, heard.text];
  });
}

test('what the sandbox tells is what the service hears', async () => {
  const ids: Record<string, string> = {};
  for (const name of ['delivered', 'hardbounce', 'complaint', 'delayed', 'expired', 'norecord']) {
    ids[name] = await handOver(name);
  }
  await sandbox.idle();
  clock.advance(MINUTE);
  const heard = await feedback();
  expect(new Set(heard.map((facts) => facts.join(' ')))).toEqual(
    new Set([
      `${ids.delivered} delivered 2.0.0 250 2.0.0 Delivered`,
      `${ids.hardbounce} bounced 5.1.1 550 5.1.1 No such user here`,
      `${ids.complaint} delivered 2.0.0 250 2.0.0 Delivered`,
      `${ids.complaint} complaint abuse`,
      `${ids.delayed} delayed 4.4.1 421 4.4.1 The server is busy`,
      `${ids.delayed} delivered 2.0.0 250 2.0.0 Delivered`,
      `${ids.expired} expired 4.4.1 421 4.4.1 The server did not answer for days`,
    ]),
  );
  expect(heard).toHaveLength(7);
});

test('the refusals of the sandbox have their classes, and an automatic answer is none', async () => {
  const ids = new Map<string, string>();
  for (const name of ['hardbounce', 'disabled', 'mailboxfull', 'blocked', 'spam', 'autoreply'])
    ids.set(await handOver(name), name);
  await sandbox.idle();
  expect(sandbox.list({ limit: 10 }).flatMap(({ reports }) => reports.map(({ state }) => state))).toEqual(
    Array<string>(7).fill('sent'),
  );
  const heard = published.map(({ value }) => {
    const {
      messageId,
      feedback: { kind, class: found, hard },
    } = value as FeedbackRecord;
    return [ids.get(messageId), kind, found, hard];
  });
  expect(heard.sort()).toEqual([
    ['autoreply', 'delivered', null, false],
    ['blocked', 'bounced', 'sender_blocked', false],
    ['disabled', 'bounced', 'mailbox_disabled', true],
    ['hardbounce', 'bounced', 'address_unknown', true],
    ['mailboxfull', 'bounced', 'mailbox_full', false],
    ['spam', 'bounced', 'content_refused', false],
  ]);
});

test('a report comes again until it is durable in the log', async () => {
  failures = 3;
  const id = await handOver('delivered');
  for (let minute = 0; minute < 5; minute++) {
    await sandbox.idle();
    clock.advance(MINUTE);
  }
  expect(await feedback()).toEqual([[id, 'delivered', '2.0.0 250 2.0.0 Delivered']]);
});

test('a report to an address that was never signed is refused for good', async () => {
  await client.send({ from: 'b-0@bounce.demo.kurir.test', to: 'hardbounce@b.example' }, simpleMail('x'));
  expect(await feedback()).toEqual([]);
  expect(sandbox.list({ limit: 1 })[0]!.reports).toMatchObject([
    { state: 'refused', reply: '550 5.1.1 No such bounce address' },
  ]);
});
