import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { engineTools } from '../../app/engines/engine-tools';
import { readConfig } from '../../operations/config/config';
import { runCli } from '../../cli/run';
import { messageLinks } from '../../domain/messages/message-tokens';
import { texts } from '../../domain/texts';
import { auditOf } from '../support/auditing';
import { eventually } from '../contract/helpers';
import { describeOnEngines } from '../support/engines';
import { Running, testEnv } from '../support/running';

type Place = { kind: string; field: string };

/** Everything the sandbox can do with a mail. */
const NO_MESSAGE = '019bb3a0-6c1e-7d5f-8a55-2f8f3b6f6d10';
const KINDS = ['delivered', 'hardbounce', 'complaint', 'delayed', 'expired', 'reject', 'defer', 'norecord', 'drop'];
const addressOf = (kind: string): string => `${kind}+budi.santoso@pelanggan.test`;

describeOnEngines('a contact that is deleted', (install) => {
  let running: Running;
  const ids = new Map<string, string>();
  beforeAll(async () => {
    running = await Running.startOn(install());
    for (const kind of KINDS) ids.set(kind, await sendPersonal(kind));
    for (const kind of ['delivered', 'complaint']) await running.untilStatus(ids.get(kind)!, 'delivered');
    for (const kind of ['hardbounce']) await running.untilStatus(ids.get(kind)!, 'bounced');
    for (const kind of ['reject', 'expired']) await running.untilStatus(ids.get(kind)!, 'failed');
    await running.untilStatus(ids.get('norecord')!, 'sent_to_mta');
    // Three seconds later it is delivered.
    const taken = ['sent_to_mta', 'delivered'];
    await running.until(ids.get('delayed')!, 'its hand-over', ({ status }) => taken.includes(status));
    await running.until(ids.get('defer')!, 'a refusal', ({ attempt, status }) => attempt === 1 && status === 'queued');
    await openAndClick(ids.get('delivered')!);
  });
  afterAll(() => running.stop());

  /** A mail that holds the address wherever a caller can put it. */
  async function sendPersonal(kind: string): Promise<string> {
    const to = addressOf(kind);
    const mail = {
      to: to.replace('budi', 'Budi'),
      subject: `Untuk ${to}`,
      html: `<p>Halo {{email}}, <a href="https://toko.test/akun?email=${encodeURIComponent(to)}">akun</a> {{email}}</p>`,
      metadata: { buyer: to.toUpperCase() },
      reply_to: to,
      attachments: [{ filename: `${kind}.csv`, content: Buffer.from(`email\n${to}\n`).toString('base64') }],
      sending_domain_id: running.demo.sending_domain_id,
    };
    const { status, body } = await running.api.request('POST', '/messages', mail, { 'idempotency-key': `halo-${to}` });
    expect(status).toBe(201);
    expect(await reportSale(to)).toMatchObject({ status: 201, body: { duplicate: false } });
    return body['message_id'] as string;
  }

  const reportSale = (email: string) =>
    running.api.request('POST', '/conversions', { amount: 1, email, order_id: `Pesanan ${email}` });

  async function openAndClick(id: string): Promise<void> {
    const { keyring, publicUrl } = running.kurir.services;
    const links = messageLinks(keyring, publicUrl(), id);
    await fetch(links.open);
    const clicked = await fetch(`${links.clicks}0`, { redirect: 'manual' });
    expect(clicked.headers.get('location')).toContain('budi.santoso');
    for (let kinds: string[] = []; !kinds.includes('click');) {
      kinds = (await running.stores.signals.ofMessage(id)).map(({ kind }) => kind);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async function pii(email: string): Promise<{ code: number; found: Place[]; sandbox: number | null }> {
    let out = '';
    const sink = (write: (text: string) => void) => ({ write, isTTY: false, hasColors: () => false, columns: 200 });
    const code = await runCli(['pii', email, '--json'], {
      stdout: sink((text) => (out += text)),
      stderr: sink((text) => (out += text)),
      stdin: Readable.from([]),
      tools: async () => engineTools,
      config: () => readConfig(testEnv(running.installation)),
      actor: 'siti@server',
    });
    const { found, sandbox_mails: sandbox } = JSON.parse(out) as { found: Place[]; sandbox_mails: number | null };
    return { code, found, sandbox };
  }

  const remove = async (kind: string): Promise<void> => {
    const message = (await running.stores.messages.get(ids.get(kind)!))!;
    expect(await running.api.request('DELETE', `/contacts/${message.contactId}`)).toMatchObject({
      status: 200,
      body: { deleted: true },
    });
  };

  // spec: docs/contract.md#delete-a-contact: where an address stands can be looked up, in store, log and cache
  it('stands in contacts, messages, bodies and links before, and never in the log', async () => {
    const { code, found, sandbox } = await pii(addressOf('delivered'));
    expect(code).toBe(1);
    const kinds = new Set(found.map(({ kind }) => kind));
    expect([...kinds]).toEqual(expect.arrayContaining(['contacts', 'messages', 'bodies']));
    expect([...kinds].filter((kind) => kind.startsWith('log') || kind === 'idempotency')).toEqual([]);
    expect(sandbox).toBe(1);
  });

  // spec: docs/contract.md#delete-a-contact: where an address stands can be looked up, in store, log and cache
  it('is looked for in the log and the cache too', async () => {
    const email = 'catatan@pelanggan.test';
    const feedback = {
      kind: 'bounced',
      class: 'address_unknown',
      hard: true,
      trusted: true,
      text: `550 <${email}>`,
      at: running.clock.now(),
    } as const;
    await running.kurir.services.engine.log.publish([
      { topic: 'mta.feedback', key: NO_MESSAGE, value: { messageId: NO_MESSAGE, feedback } },
    ]);
    const { redisUrl } = running.kurir.services.config.cluster ?? {};
    const redis = redisUrl === undefined ? null : new Redis(redisUrl);
    await redis?.hset(`kurir:${email}`, 'field', encodeURIComponent(email));
    try {
      const inCache = redis === null ? [] : ['redis key', 'redis value'];
      // Its message is not in the store, so the record is parked too.
      await eventually(async () => {
        const { code, found } = await pii(email);
        const places = found.map(({ kind, field }) => `${kind} ${field}`);
        expect([code, places.sort()]).toEqual([1, ['log mta.feedback value', 'parked value', ...inCache]]);
      });
    } finally {
      await redis?.del(`kurir:${email}`);
      await redis?.quit();
    }
  });

  // spec: docs/contract.md#delete-a-contact: DELETE /contacts/{id}: message history is anonymized
  it.each(KINDS)('kurir pii finds nothing of it: %s', async (kind) => {
    const before = (await running.stores.messages.get(ids.get(kind)!))!;
    await remove(kind);
    expect(await pii(addressOf(kind))).toMatchObject({ code: 0, found: [] });
    expect(await running.stores.messages.get(ids.get(kind)!)).toMatchObject({
      to: null,
      // The second report of this kind comes three seconds after the first, in real time.
      status: kind === 'delayed' ? expect.stringMatching(/^(sent_to_mta|delivered)$/) : before.status,
      attempt: before.attempt,
    });
  });

  // spec: docs/contract.md#delete-a-contact: an Idempotency-Key or order_id that holds an address is kept as a hash,
  //   and a repeat stays a repeat
  it('its Idempotency-Key is a repeat for ever', async () => {
    const again = await running.api.request(
      'POST',
      '/messages',
      {},
      { 'idempotency-key': `halo-${addressOf('reject')}` },
    );
    expect(again).toMatchObject({ status: 200, body: { message_id: ids.get('reject') } });
  });

  // spec: docs/contract.md#delete-a-contact: an Idempotency-Key or order_id that holds an address is kept as a hash,
  //   and a repeat stays a repeat
  it('an order_id with its address is a repeat for ever', async () => {
    expect(await reportSale(addressOf('reject'))).toMatchObject({ status: 200, body: { duplicate: true } });
    expect(await pii(addressOf('reject'))).toMatchObject({ code: 0, found: [] });
  });

  // spec: docs/contract.md#delete-a-contact: DELETE /contacts/{id}: what waited for the contact fails with the reason,
  //   without a coin
  it('what still waited for it fails at its turn, and its coin is not taken', async () => {
    const id = ids.get('defer')!;
    running.clock.advance(5 * 60_000);
    expect((await running.untilStatus(id, 'failed')).failedReason).toBe(texts.contactDeleted);
    // On a busy machine it was tried more than once before the deletion.
    const tries = (await running.stores.messages.attempts(id)).map((_, n) => n + 1);
    const rows = ['debit', 'refund'].flatMap((kind) => tries.map((n) => `${kind}:m:${n}`));
    expect(await running.coinsOf(id, 0)).toEqual(rows.sort());
    expect(tries.length).toBeGreaterThan(0);
  });

  // spec: docs/contract.md#delete-a-contact: a bounce or complaint after the deletion still suppresses the address
  it('a bounce that comes later suppresses the address all the same', async () => {
    const email = addressOf('norecord');
    const messageId = ids.get('norecord')!;
    const feedback = {
      kind: 'bounced',
      class: 'address_unknown',
      hard: true,
      trusted: true,
      text: '550 5.1.1 gone',
      at: running.clock.now(),
    } as const;
    await running.kurir.services.engine.log.publish([
      { topic: 'mta.feedback', key: messageId, value: { messageId, feedback } },
    ]);
    await running.untilStatus(messageId, 'bounced');
    const { body } = await running.api.get(`/suppressions?email=${encodeURIComponent(email)}`);
    expect(body).toMatchObject({ can_send: false, reason: 'hard_bounce' });
    expect(await running.coinsOf(messageId, -5)).toEqual(['debit:m:1', 'penalty:m']);
    expect(await pii(email)).toMatchObject({ code: 0, found: [] });
  });

  // spec: docs/contract.md#delete-a-contact: DELETE /contacts/{id}: does not add to the suppression list; re-sending
  //   recreates it as subscribed
  it('comes back as subscribed when it is sent to again', async () => {
    const { stores } = running;
    const id = await running.send(addressOf('delivered'));
    const { workspaceId, contactId } = (await stores.messages.get(id))!;
    expect(await stores.contacts.get(workspaceId, contactId)).toMatchObject({ status: 'subscribed', name: null });
  });

  // spec: docs/contract.md#delete-a-contact: DELETE /contacts/{id}: message history is anonymized
  it('leaves data that add up, and no trace in the freed room of the file', async () => {
    expect((await auditOf(running.installation)).found).toEqual([]);
    if (running.installation.engine === 'cluster') return;
    const { dataDir } = running;
    await running.kurir.stop();
    for (const name of readdirSync(dataDir).filter((file) => file.startsWith('kurir.sqlite'))) {
      const text = readFileSync(join(dataDir, name)).toString('latin1').toLowerCase();
      const left = KINDS.filter((kind) => kind !== 'delivered' && text.includes(addressOf(kind)));
      expect(left).toEqual([]);
    }
    expect(existsSync(join(dataDir, 'kurir.sqlite'))).toBe(true);
  });
});
