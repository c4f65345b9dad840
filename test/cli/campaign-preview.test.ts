import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { frozenClock } from '../support/clock';
import { readMail } from '../email/support/read-mail';
import { Running } from '../support/running';
import { TestOperator } from '../support/test-operator';

let running: Running;
let operator: TestOperator;
let id: string;
const path = (name: string): string => join(running.dataDir, name);
beforeAll(async () => {
  const clock = frozenClock();
  running = await Running.start({}, clock);
  operator = await TestOperator.open({ dataDir: running.dataDir, clock });
  await operator.ask('audience', 'create', 'Demo', 'Pelanggan');
  writeFileSync(
    path('promo.html'),
    '<p>Halo {{nama|Kak}}</p><a href="https://toko.test/x">x</a><a href="{{link_browser}}">Versi web</a>',
  );
  const needed = ['--subject', 'Promo {{nama|Kak}}', '--audience', 'Pelanggan', '--domain', '1'];
  const content = ['--html', path('promo.html'), '--preheader', 'Hanya hari ini', '--reply-to', 'cs@toko.test'];
  id = String((await operator.ask('campaign', 'create', 'Demo', ...needed, ...content))['id']);
  const { stores } = running.kurir.services.engine;
  const now = clock.now();
  const email = 'budi@example.test';
  const emailHash = running.kurir.services.keyring.hashAddress(email);
  await stores.contacts.ensure({ workspaceId: 1, email, emailHash, name: 'Budi', at: now });
});
afterAll(() => running.stop());

const preview = (...argv: string[]) => operator.run(['campaign', 'preview', 'Demo', id, ...argv, '--json']);
const failing = async (...argv: string[]) => {
  const { code, err } = await operator.run(['campaign', ...argv]);
  return { code, err };
};

describe('kurir campaign preview', () => {
  it('writes the mail of a contact as .eml: whole, with links as written, without a message', async () => {
    const before = await operator.ask('coins', 'balance', 'Demo');
    const { code, json } = await preview('Budi@example.test', '--out', path('promo.eml'));
    const raw = readFileSync(path('promo.eml'));
    expect({ code, json }).toEqual({
      code: 0,
      json: { to: 'budi@example.test', sample: false, size: raw.length, file: path('promo.eml'), inbox_id: null },
    });
    const mail = await readMail(raw);
    expect(mail).toMatchObject({
      subject: 'Promo Budi',
      from: { address: 'no-reply@demo.kurir.test', name: 'Kurir Demo' },
      to: [{ address: 'budi@example.test' }],
      replyTo: [{ address: 'cs@toko.test' }],
    });
    const headers = new Map(mail.headers.map(({ key, value }) => [key, value]));
    expect(headers.get('x-campaign-id')).toBe(id);
    expect(headers.has('x-message-id')).toBe(false);
    expect(mail.html).toContain('<p>Halo Budi</p><a href="https://toko.test/x">x</a>');
    expect(mail.html).toContain('Hanya hari ini');
    expect(mail.html).toMatch(/<a href="[^"]+\/m\/preview">Versi web<\/a>/);
    expect(mail.html).toContain('Berhenti berlangganan');
    expect(mail.html).not.toMatch(/\/t\/[oc]\//);
    expect(await operator.ask('coins', 'balance', 'Demo')).toEqual(before);
    expect(await operator.ask('message', 'list', 'Demo')).toMatchObject({ data: [] });
  });

  it('writes its HTML into any other file, by the id of the contact too, and replaces what is there', async () => {
    writeFileSync(path('promo.out'), 'x'.repeat(100_000));
    await preview('1', '--out', path('promo.out'));
    expect(readFileSync(path('promo.out'), 'utf8')).toMatch(/^<div style="display:none.*<p>Halo Budi<\/p>/s);
  });

  it('needs no contact: a sample shows the fallbacks of merge tags; the workspace may be left out', async () => {
    const out = path('sample.html');
    const said = await operator.ask('campaign', 'preview', 'Demo', id, '--out', out);
    expect(said).toMatchObject({ to: 'budi@example.com', sample: true, file: out });
    expect(readFileSync(out, 'utf8')).toContain('<p>Halo Kak</p>');
    expect(await operator.ask('campaign', 'preview', id, '--out', out)).toMatchObject({ sample: true });
    const named = await operator.ask('campaign', 'preview', id, 'budi@example.test', '--out', out);
    expect(named).toMatchObject({ to: 'budi@example.test', sample: false });
    expect(readFileSync(out, 'utf8')).toContain('<p>Halo Budi</p>');
  });

  it('puts it into the inbox of the sandbox without --out, where the audit holds nothing against it', async () => {
    const { code, json } = await preview('budi@example.test');
    expect({ code, json }).toMatchObject({ code: 0, json: { file: null, inbox_id: expect.any(Number) as unknown } });
    const mail = await operator.ask('sandbox', 'inbox', String(json['inbox_id']));
    expect(mail).toMatchObject({ subject: 'Promo Budi', message_id: null, reports: [] });
    expect(await operator.ask('audit')).toMatchObject({ ok: true });
  });

  it('fails without a sandbox, content, contact or file that can be written: exit code 1', async () => {
    const elsewhere = await TestOperator.open({
      dataDir: running.dataDir,
      clock: operator.clock,
      env: { KURIR_MTA_URL: 'smtp://127.0.0.1:1' },
    });
    const { code, err } = await elsewhere.run(['campaign', 'preview', 'Demo', id, '1']);
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('Give --out <file>.') as unknown });
    const bare = ['--subject', 'P', '--audience', '1', '--domain', '1'];
    const empty = String((await operator.ask('campaign', 'create', 'Demo', ...bare))['id']);
    for (const [argv, fault] of [
      [[empty, '1'], 'The campaign has no HTML yet: kurir campaign edit 1 '],
      [[id, 'siti@example.test'], 'no contact "siti@example.test" found'],
      [[id, '999'], 'no contact "999" found'],
      [[id, '1', '--out', path('no/such/folder.eml')], 'folder.eml cannot be written: ENOENT'],
      [['999', '1'], 'no campaign 999 found'],
    ] as const) {
      const said = await failing('preview', 'Demo', ...argv);
      expect(said).toEqual({ code: 1, err: expect.stringContaining(fault) as unknown });
    }
    expect(existsSync(path('no'))).toBe(false);
  });
});

describe('kurir campaign test', () => {
  // spec: docs/contract.md#test-mail: one paid message, marked, of the campaign
  it('sends one paid message, marked as a test, of the campaign; its page shows it in a browser', async () => {
    const said = await operator.ask('campaign', 'test', 'Demo', id, 'Siti@melati.example');
    const messageId = String(said['message_id']);
    expect(said).toEqual({ message_id: messageId });
    const message = await running.untilStatus(messageId, 'delivered');
    expect(message).toMatchObject({ channel: 'app', lane: 'transactional', campaignId: Number(id) });
    expect(await operator.ask('contact', 'show', 'Demo', 'siti@melati.example')).toMatchObject({
      status: 'not_subscribed',
      subscribed_at: null,
      blocked_by: null,
    });
    expect(await running.coinsOf(messageId, -1)).toEqual(['debit:m:1']);
    const { data } = (await operator.ask('sandbox', 'inbox')) as { data: { id: number; message_id: string }[] };
    const arrived = data.find((mail) => mail.message_id === messageId);
    const mail = await operator.ask('sandbox', 'inbox', String(arrived?.id));
    expect(mail).toMatchObject({ subject: '[Test] Promo Kak' });
    expect(JSON.stringify(mail['headers'])).toMatch(new RegExp(`"X-Campaign-id","value":"${id}"`, 'i'));
    const html = String(mail['html']);
    expect(html).toContain('Hanya hari ini');
    const link = /href="([^"]+\/m\/[\w-]+)"/.exec(html)?.[1] ?? '';
    const page = await fetch(link);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('<p>Halo Kak</p><a href="https://toko.test/x">x</a>');
    const campaign = (await operator.ask('campaign', 'show', 'Demo', id)) as { status: string; sent_at: null };
    expect(campaign).toMatchObject({ status: 'draft', sent_at: null });
    expect(await operator.ask('audit')).toMatchObject({ ok: true });
  });

  // spec: docs/contract.md#transactional-mail: campaigns and journeys are marketing
  it('from a transactional domain is marketing all the same', async () => {
    await operator.ask('domain', 'set', 'demo.kurir.test', '--category', 'transactional');
    const said = await operator.ask('campaign', 'test', 'Demo', id, 'rina@melati.example');
    const message = await running.untilStatus(String(said['message_id']), 'delivered');
    expect(message).toMatchObject({ campaignId: Number(id), category: null });
    await operator.ask('domain', 'set', 'demo.kurir.test', '--category', 'marketing');
  });

  // spec: docs/contract.md#test-mail: its refusals
  it('is refused in English, with the command that mends it: exit code 1, no message', async () => {
    const before = await operator.ask('message', 'list', 'Demo');
    const testing = (campaign = id) => failing('test', 'Demo', campaign, 'ani@melati.example');
    const refusal = (text: string) => ({ code: 1, err: expect.stringContaining(text) as unknown });

    const bare = ['--subject', 'P', '--audience', '1', '--domain', '1'];
    const empty = String((await operator.ask('campaign', 'create', 'Demo', ...bare))['id']);
    expect(await testing(empty)).toEqual(refusal('The campaign has no HTML yet: kurir campaign edit 1 '));

    await operator.ask('domain', 'suspend', 'demo.kurir.test');
    expect(await testing()).toEqual(refusal('The sending domain is not active: kurir domain activate'));
    await operator.ask('domain', 'activate', 'demo.kurir.test', '--force');

    await operator.ask('workspace', 'suspend', 'Demo');
    expect(await testing()).toEqual(refusal('The workspace is suspended: kurir workspace resume 1.'));
    await operator.ask('workspace', 'resume', 'Demo');

    await operator.ask('suppress', 'add', 'ani@melati.example', '--workspace', 'Demo');
    expect(await testing()).toEqual(refusal('<address> is suppressed: kurir suppress check'));
    expect(await operator.ask('message', 'list', 'Demo')).toEqual(before);
    expect(await failing('test', 'Demo', id, 'bukan alamat')).toMatchObject({ code: 2 });
  });

  // spec: docs/contract.md#test-mail: no coins
  it('is refused without coins', async () => {
    await operator.ask('workspace', 'create', 'Melati');
    await operator.ask('domain', 'add', 'Melati', 'melati.example');
    await operator.ask('domain', 'activate', 'melati.example', '--force');
    await operator.ask('audience', 'create', 'Melati', 'Pelanggan');
    const needed = ['--subject', 'P', '--audience', 'Pelanggan', '--domain', 'melati.example'];
    const made = await operator.ask('campaign', 'create', 'Melati', ...needed, '--html', path('promo.html'));
    expect(await failing('test', 'Melati', String(made['id']), 'ani@melati.example')).toEqual({
      code: 1,
      err: expect.stringContaining('Not enough coins to send an email: kurir coins top-up 2 <coins>.') as unknown,
    });
  });
});
