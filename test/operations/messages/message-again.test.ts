import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { accessOf } from '../../../domain/people/access';
import { texts } from '../../../domain/texts';
import type { Message } from '../../../domain/messages/message';
import { findOperation } from '../../../operations/catalogue';
import { performFor } from '../../../operations/perform';
import { aGrant } from '../../support/builders';
import { describeOnEngines } from '../../support/engines';
import { Running } from '../../support/running';

const OPERATOR = { actor: 'a tester', access: accessOf({ everywhere: 'operator', workspaces: new Map() }) };
const MAIL = {
  subject: 'Nota 17',
  html: '<p>Halo {{nama|Kak}}</p>',
  text: 'Halo',
  from_name: 'Toko Sari',
  reply_to: 'cs@toko.example',
  metadata: { order_id: 1042 },
};

interface Sent {
  message_id: string;
  of: string;
  made: boolean;
  reference: string;
}

describeOnEngines('message.send-again', (install) => {
  let running: Running;
  beforeAll(async () => {
    running = await Running.startOn(install());
  });
  afterAll(async () => {
    await running.stop();
  });

  const again = async (id: string, more: { reference?: string; without_attachments?: boolean } = {}) => {
    const operation = (await findOperation('message.send-again'))!;
    return performFor(running.kurir.services, OPERATOR, operation, { id, ...more });
  };
  const sent = async (id: string, more: { reference?: string; without_attachments?: boolean } = {}): Promise<Sent> => {
    const done = await again(id, more);
    if (!done.ok) throw new Error(done.fault.message);
    return done.json as unknown as Sent;
  };
  const refusal = async (id: string): Promise<string> => {
    const done = await again(id);
    return done.ok ? 'sent' : done.fault.message;
  };
  const delivered = async (to: string): Promise<Message> =>
    running.untilStatus(await running.send(to, MAIL), 'delivered');
  const countOf = async ({ contactId }: Message): Promise<number> =>
    (await running.stores.messages.list(1, { contactId, offset: 0, limit: 9 })).total;
  /** Sets what a hand-off would. */
  const set = (id: string, change: Partial<Message>) =>
    running.stores.messages.change(id, () => ({ set: change, at: running.clock.now(), records: [] }));

  it('makes a new message of the same content, which is delivered and costs a coin', async () => {
    const first = await delivered('Siti@Example.test');
    const { message_id: id, of, made } = await sent(first.id);
    expect({ of, made }).toEqual({ of: first.id, made: true });
    const second = await running.untilStatus(id, 'delivered');
    const { toText, subject, fromEmail, fromName, replyTo, metadata, channel, domainId, contactId } = first;
    expect(second).toMatchObject({
      toText,
      subject,
      fromEmail,
      fromName,
      replyTo,
      metadata,
      channel,
      domainId,
      contactId,
    });
    expect((await running.stores.messages.job(id))?.body).toEqual((await running.stores.messages.job(first.id))?.body);
    expect(await running.coinsOf(id, -1)).toHaveLength(1);
    const [line] = await running.stores.operatorLog.list(1);
    expect(line).toMatchObject({ action: 'message send-again', target: first.id, actor: 'a tester', workspaceId: 1 });
  });

  it('sends once for each reference, however often and at once it is asked', async () => {
    const first = await delivered('dua@example.test');
    const asked = await Promise.all([1, 2, 3].map(() => sent(first.id, { reference: 'tiket 118' })));
    expect(new Set(asked.map(({ message_id }) => message_id)).size).toBe(1);
    expect(asked.filter(({ made }) => made)).toHaveLength(1);
    expect(await countOf(first)).toBe(2);
    const other = await delivered('tiga@example.test');
    expect(await sent(other.id, { reference: 'tiket 118' })).toMatchObject({ made: true, of: other.id });
    await sent(first.id);
    await sent(first.id);
    expect(await countOf(first)).toBe(4);
  });

  it('sends what had attachments only when told so, and counts them as left out', async () => {
    const attachments = [1, 2].map((n) => ({ filename: `nota-${n}.txt`, content: 'SGFsbw==' }));
    const first = await running.send('tujuh@example.test', { ...MAIL, attachments });
    expect(await running.untilStatus(first, 'delivered')).toMatchObject({ attachmentCount: 2, attachmentsUntil: null });
    expect(await refusal(first)).toContain('had attachments (2), which have been deleted');
    const { message_id: id } = await sent(first, { without_attachments: true });
    expect(await running.stores.messages.get(id)).toMatchObject({ attachmentCount: 0, attachmentsLeftOut: 2 });
  });

  it('refuses what no program sent, what is on its way, and what had attachments', async () => {
    const { id } = await delivered('empat@example.test');
    const accepted = await running.send('lima@example.test', {
      send_at: new Date(running.clock.now() + 86_400_000).toISOString(),
    });
    expect(await refusal(accepted)).toContain('is queued and has not reached its final status');
    await set(id, { status: 'failed', failedReason: texts.attachmentsExpired });
    expect(await refusal(id)).toContain('had attachments, which have been deleted');
    const { campaign, sender } = await aTestMail();
    expect(await refusal(campaign)).toContain('was not sent by API or SMTP');
    expect(sender).toBe('app');
  });

  /** A mail of the program itself: the test of a campaign. */
  async function aTestMail(): Promise<{ campaign: string; sender: string }> {
    const { stores } = running;
    const operation = async (name: string, input: object): Promise<Record<string, unknown>> => {
      const done = await performFor(running.kurir.services, OPERATOR, (await findOperation(name))!, input as never);
      if (!done.ok) throw new Error(done.fault.message);
      return { ...done.json };
    };
    const audience = await operation('audience.create', { workspace: '1', name: 'Pelanggan' });
    const made = await operation('campaign.create', {
      workspace: '1',
      audience: String(audience['id']),
      domain: String(running.demo.sending_domain_id),
      subject: 'Promo',
      html: '<p>Promo</p>',
    });
    const test = { workspace: '1', campaign: String(made['id']), address: 'enam@example.test' };
    const { message_id: id } = (await operation('campaign.test', test)) as { message_id: string };
    return { campaign: id, sender: (await stores.messages.get(id))!.channel };
  }

  it('refuses a recipient who may get none, a domain that is not active, and a suspended workspace', async () => {
    const bounced = await running.untilStatus(await running.send('hardbounce@example.test'), 'bounced');
    expect(await refusal(bounced.id)).toMatch(/is suppressed|unsubscribed, bounced or complained/);
    const { id, contactId } = await delivered('tujuh@example.test');
    await running.stores.domains.setStatus(running.demo.sending_domain_id, 'suspended');
    expect(await refusal(id)).toContain('does not use an active sending domain');
    await running.stores.domains.setStatus(running.demo.sending_domain_id, 'active');
    await running.stores.workspaces.update(1, { suspended: true });
    expect(await refusal(id)).toContain('The workspace is suspended');
    await running.stores.workspaces.update(1, { suspended: false, emailModule: false });
    expect(await refusal(id)).toContain('The email module is off');
    await running.stores.workspaces.update(1, { emailModule: true });
    await running.stores.contacts.delete(1, contactId);
    expect(await refusal(id)).toContain('no longer exists');
    expect(await countOf(bounced)).toBe(1);
  });

  it('refuses without coins', async () => {
    const { id } = await delivered('delapan@example.test');
    const { balance } = await running.stores.coins.account(1);
    await running.stores.coins.post(aGrant(1, -balance));
    expect(await refusal(id)).toContain('Not enough coins');
  });
});
