import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTransport, type Transporter } from 'nodemailer';
import { eventually } from '../contract/helpers';
import { freePorts } from '../../proof/crash/free-ports';
import { describeOnEngines } from '../support/engines';
import { Running } from '../support/running';
import { complaintWith } from '../smtp/reports/samples';
import { sendMail } from '../smtp/reports/smtp-client';

const SITI = 'delivered+siti@pelanggan.test';
const BUDI = 'hardbounce+budi@pelanggan.test';
const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

describeOnEngines('A mail by the relay', (install) => {
  let running: Running;
  let relay: Transporter;
  let bouncePort: number;
  beforeAll(async () => {
    [bouncePort = 0] = await freePorts(1);
    running = await Running.startOn(install(), { KURIR_BOUNCE_PORT: String(bouncePort) });
    const { smtp } = running.demo;
    const { smtp: port } = running.kurir.relay!;
    const auth = { user: smtp.username, pass: smtp.password };
    relay = createTransport({ host: '127.0.0.1', port, requireTLS: true, auth, tls: { rejectUnauthorized: false } });
  });
  afterAll(() => running.stop());

  async function hooks(): Promise<object[]> {
    const response = await fetch(`${running.kurir.baseUrl.replace('/v1', '/sandbox/hooks')}/shop`, {
      headers: { accept: 'application/json' },
    });
    return ((await response.json()) as { data: object[] }).data;
  }

  /** A view of the mail to an address, as it arrived. */
  async function arrived(to: string, view: 'html' | 'source' = 'html'): Promise<string> {
    const inbox = running.kurir.baseUrl.replace('/v1', '/sandbox/inbox');
    const list = await fetch(inbox, { headers: { accept: 'application/json' } });
    const { data } = (await list.json()) as { data: { id: number }[] };
    for (const { id } of data) {
      const mail = await fetch(`${inbox}/${id}`, { headers: { accept: 'application/json' } });
      if ((await mail.text()).includes(to)) return (await fetch(`${inbox}/${id}/${view}`)).text();
    }
    return '';
  }

  // spec: docs/contract.md#relay-connection: all features of the API
  it('has all that one of POST /messages has: merge tags, tracking, footer, coins, webhooks', async () => {
    const contact = { email: SITI, name: 'Siti', consent: true };
    expect((await running.api.request('POST', '/contacts', contact)).status).toBe(201);
    const url = `${running.kurir.baseUrl.replace('/v1', '/sandbox/hooks')}/shop`;
    await running.api.request('POST', '/webhooks', { url, event_types: ['delivered', 'bounce'] });
    const sent = await relay.sendMail({
      from: 'Toko <toko@demo.kurir.test>',
      to: [SITI, BUDI],
      subject: 'Halo {{nama|Kak}}',
      text: 'Halo {{nama|Kak}}, https://toko.example/pesanan',
      headers: { 'X-Kurir-Metadata': '{"order":"42"}' },
    });
    const [siti = '', budi = ''] = sent.response?.match(ID) ?? [];
    await running.untilStatus(siti, 'delivered');
    await running.untilStatus(budi, 'bounced');
    expect(await running.coinsOf(siti, -1)).toEqual(['debit:m:1']);
    expect(await running.coinsOf(budi, -5)).toEqual(['debit:m:1', 'penalty:m']);
    expect((await running.stores.messages.get(siti))?.channel).toBe('smtp');

    const html = await arrived(SITI);
    expect(html).toContain('Halo Siti');
    expect(html).not.toContain('href="https://toko.example/pesanan"');
    expect(html).toMatch(/<img [^>]*src="[^"]+\/o\//);
    expect(html).toContain('Jl. Contoh No. 1');
    await eventually(async () => {
      const found = (await hooks()) as { event: string; message_id: string; payload: object }[];
      expect(found.map(({ event, message_id: id }) => [event, id]).sort()).toEqual([
        ['bounce', budi],
        ['delivered', siti],
      ]);
      for (const { payload } of found) expect(payload).toMatchObject({ metadata: { order: '42' } });
    });
  });

  // spec: docs/contract.md#feedback-headers: a complaint to CFBL-Address finds its message
  it('has feedback headers of ours only, and a complaint to its CFBL-Address finds it', async () => {
    const to = 'delivered+dewi@pelanggan.test';
    const sent = await relay.sendMail({
      from: 'toko@demo.kurir.test',
      to,
      subject: 'Halo',
      text: 'Halo',
      headers: { 'Feedback-ID': 'a:b:c:theirs', 'CFBL-Address': 'spy@evil.test; report=arf' },
    });
    const [id = ''] = sent.response?.match(ID) ?? [];
    await running.untilStatus(id, 'delivered');
    const head = (await arrived(to, 'source')).split('\r\n\r\n')[0]!.replaceAll('\r\n ', ' ');
    expect(head.match(/^Feedback-ID: .*$/gim)).toEqual([expect.stringMatching(/: smtp:w1:transactional:kurir\w{10}$/)]);
    const [address = ''] = head.match(/(?<=^CFBL-Address: )\S+(?=; report=arf$)/m) ?? [];
    expect(head).not.toContain('evil.test');
    expect(head).toMatch(/ h=[^;]*Feedback-ID:CFBL-Address/);

    const complaint = complaintWith([], [`Message-ID: <${id}@demo.kurir.test>`]);
    expect((await sendMail(bouncePort, { from: 'fbl@provider.example', to: address }, complaint)).code).toBe(250);
    await eventually(async () => expect((await running.stores.messages.get(id))?.complainedAt).not.toBeNull());
  });

  // spec: docs/contract.md#relay-threads: Message-ID, In-Reply-To and References pass on; the reply names our ids
  it('keeps its thread, one Message-ID for all recipients, and what is known by our ids', async () => {
    const to = ['delivered+dua@pelanggan.test', 'hardbounce+tiga@pelanggan.test'];
    const thread = {
      messageId: '<ticket-1.2@help.example>',
      inReplyTo: '<0@x.example>',
      references: '<a@b> <0@x.example>',
    };
    const mail = { from: 'toko@demo.kurir.test', to, subject: 'Re: Halo', text: 'Halo', ...thread };
    const sent = await relay.sendMail(mail);
    const [dua = '', tiga = ''] = sent.response?.match(ID) ?? [];
    await running.untilStatus(dua, 'delivered');
    await running.untilStatus(tiga, 'bounced');
    for (const [n, id] of [dua, tiga].entries()) {
      const head = (await arrived(to[n]!, 'source')).split('\r\n\r\n')[0]!;
      const valueOf = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(head.replaceAll('\r\n ', ' '))?.[1];
      expect(['Message-ID', 'In-Reply-To', 'References', 'X-Message-id'].map(valueOf)).toEqual([
        thread.messageId,
        thread.inReplyTo,
        thread.references,
        id,
      ]);
      expect(head.replaceAll('\r\n ', ' ')).toMatch(/ h=[^;]*Message-ID:In-Reply-To:References:/);
    }
    const again = await relay.sendMail(mail);
    expect([again.response?.match(ID), again.rejected]).toEqual([[dua], [to[1]]]);
  });

  // spec: docs/contract.md#relay-threads: a Message-ID that is malformed is replaced by ours
  it('gets a Message-ID of ours in place of one that is malformed', async () => {
    const to = 'delivered+empat@pelanggan.test';
    const headers = { 'Message-ID': 'no brackets' };
    const sent = await relay.sendMail({ from: 'toko@demo.kurir.test', to, subject: 'Halo', text: 'Halo', headers });
    const [id = ''] = sent.response?.match(ID) ?? [];
    await running.untilStatus(id, 'delivered');
    expect(await arrived(to, 'source')).toContain(`Message-ID: <${id}@demo.kurir.test>`);
  });

  it('to an address that bounced before is refused at RCPT, and the others go on', async () => {
    const sent = await relay.sendMail({
      from: 'toko@demo.kurir.test',
      to: [BUDI, 'delivered+ani@pelanggan.test'],
      subject: 'Halo',
      text: 'Halo',
    });
    expect(sent.rejected).toEqual([BUDI]);
    const [ani = ''] = sent.response?.match(ID) ?? [];
    await running.untilStatus(ani, 'delivered');
  });
});
