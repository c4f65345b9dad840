import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { MailFault, SubmittedMail } from '../../../../smtp/relay/mail/submitted-mail';
import { texts } from '../../../../domain/texts';
import { aContact, aSuppression } from '../../../support/builders';
import { describeOnEngines } from '../../../support/engines';
import { codeOf, contentOf, idsIn, TestRelay, textOf, transactionOf, type RelayAccount } from './fixture';

const [SATU, DUA, TIGA] = ['satu@contoh.test', 'dua@contoh.test', 'tiga@contoh.test'];

describeOnEngines('A mail of the relay', (install) => {
  let relay: TestRelay;
  let account: RelayAccount;
  beforeAll(async () => {
    relay = await TestRelay.open(install());
  });
  beforeEach(async () => {
    account = await relay.account();
  });
  afterAll(() => relay.close());

  const suppress = (email: string) =>
    relay.api.stores.suppressions.add(
      aSuppression({ workspaceId: account.workspace.id, addressHash: relay.api.keyring.hashAddress(email) }),
    );

  // spec: docs/contract.md#relay-replies: 250 with every id, one commit
  // spec: docs/contract.md#relay-headers: what is kept of a mail
  test('becomes one message for each recipient, all in one commit, with every id in the reply', async () => {
    const reply = await relay.send(account, [SATU, 'Dua@contoh.test'], {
      replyTo: 'cs@contoh.test',
      metadata: { order: '42' },
    });
    const ids = idsIn(reply);
    expect(reply.lines).toEqual([`Queued as ${ids[0]} for ${SATU}`, `Queued as ${ids[1]} for Dua@contoh.test`]);
    const messages = await relay.api.stores.messages.getMany(account.workspace.id, ids);
    expect(messages).toMatchObject([
      {
        to: SATU,
        channel: 'smtp',
        lane: 'transactional',
        campaignId: null,
        domainId: account.domain.id,
        subject: 'Struk Anda',
        fromEmail: account.from,
        fromName: 'Kasir',
        replyTo: 'cs@contoh.test',
        metadata: { order: '42' },
        attachmentsLeftOut: 0,
        status: 'queued',
      },
      { to: DUA, toText: 'Dua@contoh.test' },
    ]);
    expect((await relay.api.stores.messages.job(ids[0]!))?.body).toEqual({
      html: '<p>Terima kasih</p>',
      text: 'Terima kasih',
    });
  });

  // spec: docs/contract.md#relay-headers: a charset that is not known is named in the final reply
  test('whose charset is not known says so in the reply', async () => {
    const reply = await relay.send(account, [SATU], { unknownCharset: 'x-nonsense' });
    expect(reply.lines).toEqual([
      `Queued as ${idsIn(reply)[0]}`,
      'The charset x-nonsense is unknown; characters may be wrong. Send UTF-8.',
    ]);
  });

  test('for one recipient is answered in one line', async () => {
    const reply = await relay.send(account, [SATU]);
    expect(reply).toEqual({ code: 250, enhanced: '2.0.0', lines: [`Queued as ${idsIn(reply)[0]}`] });
  });

  // spec: docs/contract.md#relay-replies: a recipient that stands twice gets one
  test('for 50 recipients is one commit, and one message for a recipient that stands twice', async () => {
    const many = Array.from({ length: 49 }, (_, n) => `siti${n}@contoh.test`);
    relay.faults.arm({ operation: 'messages.accept', nth: 2, fault: { kind: 'error', when: 'before' } });
    expect(idsIn(await relay.send(account, [...many, 'SITI0@contoh.test']))).toHaveLength(49);
    expect(relay.faults.pending).toBe(1);
    relay.faults.disarm();
  });

  // spec: docs/contract.md#relay-headers: the subject may be empty; the name of the business
  test('without subject, name and content is sent on, under the name of the business', async () => {
    const [id] = idsIn(
      await relay.send(account, [SATU], {
        subject: '',
        html: '',
        text: null,
        from: { address: account.from.toUpperCase(), name: null },
      }),
    );
    expect(await relay.api.stores.messages.get(id!)).toMatchObject({
      subject: '',
      fromName: 'Toko Melati',
      fromEmail: `KASIR@${account.domain.domain}`,
    });
    expect((await relay.api.stores.messages.job(id!))?.body).toEqual({ html: '<p></p>', text: null });
  });

  // spec: docs/contract.md#relay-attachments: the final reply and the message say so
  test('whose attachments were left out says so in the reply and in its message', async () => {
    const reply = await relay.send(account, [SATU], { attachmentsLeftOut: 2 });
    expect(reply.lines.at(-1)).toBe('2 attachments were not forwarded.');
    const [id] = idsIn(reply);
    expect(await relay.api.stores.messages.get(id!)).toMatchObject({ attachmentsLeftOut: 2 });
    const shown = await relay.api.get(`/v1/messages/${id}`, account.key);
    expect(shown.body).toMatchObject({ message_id: id, attachments_left_out: 2 });
  });

  const long = 'x'.repeat(500_001);
  // spec: docs/contract.md#relay-replies: 550, 552, 554 after the final dot
  test.each<[string, Partial<SubmittedMail>, string, string]>([
    ['a subject of 256', { subject: 'x'.repeat(256) }, '552 5.3.4', 'subject'],
    ['HTML of 500,001', { html: long }, '552 5.3.4', 'html'],
    ['text of 500,001', { text: long }, '552 5.3.4', 'text'],
    ['a name of 101', { from: { address: 'FROM', name: 'x'.repeat(101) } }, '554 5.6.0', 'from_name'],
    ['a Reply-To that is no address', { replyTo: 'cs' }, '554 5.6.0', 'reply_to'],
    ['metadata that is a list', { metadata: [] }, '554 5.6.0', 'metadata'],
    ['metadata with 11 keys', { metadata: Object.fromEntries([...'abcdefghijk'].map((k) => [k, 1])) }, '554 5.6.0', ''],
    ['metadata with a nested value', { metadata: { a: {} } }, '554 5.6.0', 'metadata.a'],
    ['a key of 7 characters', { idempotencyKey: '1234567' }, '554 5.6.0', 'X-Kurir-Idempotency-Key'],
    ['a key of 101 characters', { idempotencyKey: 'x'.repeat(101) }, '554 5.6.0', 'X-Kurir-Idempotency-Key'],
    ['a From on no domain of the account', { from: { address: 'a@lain.test', name: null } }, '550 5.7.1', 'From'],
    ['a From that is no address', { from: { address: '', name: null } }, '550 5.7.1', 'From'],
  ])('with %s is refused, and nothing is made', async (_title, change, code, named) => {
    const { from } = change;
    const own = from?.address === 'FROM' ? { ...change, from: { ...from, address: account.from } } : change;
    const reply = await relay.send(account, [SATU], own);
    expect(codeOf(reply)).toBe(code);
    expect(textOf(reply)).toContain(named);
    expect(await relay.messages(account)).toEqual([]);
  });

  test('that cannot be read is refused as the reader says', async () => {
    const fault: MailFault = { code: 554, enhanced: '5.6.0', text: 'The mail has two From headers.' };
    const reply = await relay.policy.mail(transactionOf(account, [SATU]), contentOf(fault));
    expect(reply).toEqual({ code: 554, enhanced: '5.6.0', lines: [fault.text] });
  });

  // spec: docs/contract.md#relay-replies: 250 names those refused since RCPT
  test('goes to those it may when others were refused since RCPT, who are named; each costs its penalty', async () => {
    await suppress(DUA);
    const { id } = await relay.api.stores.contacts.ensure(aContact(account.workspace.id, { email: TIGA }));
    await relay.api.stores.contacts.raiseStatus(account.workspace.id, id, 'unsubscribed', relay.api.clock.now());
    const reply = await relay.send(account, [SATU, DUA, TIGA]);
    expect(idsIn(reply)).toHaveLength(1);
    expect(reply.lines.slice(1)).toEqual([
      `Refused: ${DUA}: ${texts.suppressed}`,
      `Refused: ${TIGA}: ${texts.recipientUnsubscribed}`,
    ]);
    expect(await relay.penalties(account)).toBe(2);
    expect(await relay.messages(account)).toHaveLength(1);
  });

  // spec: docs/contract.md#relay-replies: 550: every recipient was refused since RCPT
  test('is refused with 550 when every recipient was refused since RCPT', async () => {
    await suppress(DUA);
    const reply = await relay.send(account, [DUA]);
    expect([codeOf(reply), textOf(reply)]).toEqual(['550 5.7.1', texts.suppressed]);
    await relay.send(account, [DUA]);
    expect(await relay.penalties(account)).toBe(1);
  });

  // spec: docs/contract.md#relay-replies: 451: nothing is made
  test.each(['domains.findByName', 'workspaces.get', 'messages.accept'])(
    'is answered with 451 when %s fails, and nothing is kept',
    async (operation) => {
      relay.faults.arm({ operation, nth: 1, fault: { kind: 'error', when: 'before' } });
      await expect(relay.send(account, [SATU, DUA])).rejects.toThrow(operation);
      expect(await relay.messages(account)).toEqual([]);
    },
  );

  test('is not answered with 451 for a penalty that cannot be recorded, once a message is accepted', async () => {
    await suppress(DUA);
    const fault = { operation: 'log.publish', nth: 1, fault: { kind: 'error', when: 'before' } } as const;
    relay.faults.arm(fault);
    expect(idsIn(await relay.send(account, [SATU, DUA]))).toHaveLength(1);
    expect(relay.logged).toHaveLength(1);
    relay.faults.arm(fault);
    await expect(relay.send(account, [DUA])).rejects.toThrow('log.publish');
  });
});
