import { describe, expect, it } from '@jest/globals';
import { confirmExpiry } from '../../../consumers/opt-ins/confirm-expiry';
import { confirmMail } from '../../../consumers/opt-ins/confirm-mail';
import { confirmationMail } from '../../../email/confirmation-mail';
import type { DueOutcome } from '../../../consumers/due-work/due-work';
import { confirmLink } from '../../../domain/contacts/confirm-token';
import { CONFIRM_EXPIRY, CONFIRM_MAIL, CONFIRM_WITHIN, confirmationMessageId } from '../../../domain/contacts/opt-in';
import { NO_FORM_AUTO_PAUSE, resumeForm } from '../../../domain/contacts/form-auto-pause';
import { MINUTE } from '../../../lib/clock';
import { nextWibMidnight } from '../../../domain/wib';
import { openTemporary } from '../../contract/embedded/open';
import { sharedEngine } from '../../contract/harness';
import { present } from '../../contract/helpers';
import { aContact, aSuppression, createSender, messageId, TEST_KEYRING, type Sender } from '../../support/builders';
import { anAudience } from '../../support/marketing';

const subject = sharedEngine(openTemporary);
const DONE: DueOutcome = { kind: 'done' };

const work = () => {
  const { stores, log, clock } = subject;
  const logger = { warn: () => undefined };
  return confirmMail({
    stores,
    log,
    keyring: TEST_KEYRING,
    clock,
    newId: () => messageId(),
    publicUrl: () => 'https://mail.kurir.test',
    logger,
  });
};

/** A workspace with an audience of double opt-in, whose form somebody sent in. */
async function asked(sender?: Sender, email?: string) {
  const { stores, clock } = subject;
  const { workspace } = sender ?? (await createSender(stores));
  const { id: workspaceId } = workspace;
  const audience = await stores.audiences.create(anAudience(workspaceId, { name: 'Kabar', optInMode: 'double' }));
  const address = aContact(workspaceId);
  const chosen = email ?? address.email;
  const contact = { ...address, email: chosen, emailHash: TEST_KEYRING.hashAddress(chosen), at: clock.now() };
  const subscription = { workspaceId, audienceId: audience.id, contact, language: 'en', at: clock.now() } as const;
  const ask = () => stores.optIns.subscribe({ ...subscription, at: clock.now() });
  await ask();
  const { id: contactId } = present(await stores.contacts.find(workspaceId, chosen));
  return { ref: { workspaceId, audienceId: audience.id, contactId }, ask, emailHash: contact.emailHash };
}

type Asked = Awaited<ReturnType<typeof asked>>;

const task = (kind: string, id: string, workspaceId: number) => ({
  kind,
  id,
  workspaceId,
  lane: '',
  dueAt: 0,
  payload: { language: 'en' } as const,
  attempt: 1,
  token: '',
});
const run = ({ ref }: Pick<Asked, 'ref'>, request = 1): Promise<DueOutcome> =>
  work().each(task(CONFIRM_MAIL, `${ref.audienceId}:${ref.contactId}:${request}`, ref.workspaceId));
const mailsOf = async ({ ref }: Pick<Asked, 'ref'>) =>
  (await subject.stores.messages.list(ref.workspaceId, { offset: 0, limit: 50 })).items;

describe('the confirmation mail', () => {
  // spec: docs/contract.md#double-opt-in: transactional, signed link
  it('is transactional, has a derived id, and holds the signed link', async () => {
    const member = await asked();
    expect(await run(member)).toEqual(DONE);
    const [mail] = await mailsOf(member);
    expect(mail).toMatchObject({
      id: confirmationMessageId(member.emailHash, subject.clock.now(), 1),
      contactId: member.ref.contactId,
      channel: 'app',
      lane: 'transactional',
      category: 'transactional',
      subject: 'Confirm your subscription: Kabar',
      status: 'queued',
    });
    const { body } = present(await subject.stores.messages.job(present(mail).id));
    const link = confirmLink(TEST_KEYRING, 'https://mail.kurir.test', member.ref);
    expect(present(body).html).toContain(`href="${link}"`);
    expect(present(body).text).toContain(link);
  });

  // spec: docs/contract.md#double-opt-in: one mail for a request
  it('is made once for a request, however often a crash repeats the work', async () => {
    const member = await asked();
    for (let n = 0; n < 3; n += 1) expect(await run(member)).toEqual(DONE);
    expect(await mailsOf(member)).toHaveLength(1);
  });

  it('waits while the brake of its form has paused it, and goes out to who asks after the resumption', async () => {
    const member = await asked();
    const { audiences } = subject.stores;
    const { workspaceId, audienceId } = member.ref;
    const now = subject.clock.now();
    await audiences.change(workspaceId, audienceId, { formBrake: { ...NO_FORM_AUTO_PAUSE, pausedAt: now } }, now);
    expect(await run(member)).toEqual({ kind: 'again', next: { dueAt: now + 15 * MINUTE } });
    expect(await mailsOf(member)).toEqual([]);
    await audiences.change(workspaceId, audienceId, { formBrake: resumeForm(now) }, now);
    expect(await run(member)).toEqual(DONE);
    expect(await mailsOf(member)).toEqual([]);
    subject.clock.advance(1);
    await member.ask();
    expect(await run(member, 2)).toEqual(DONE);
    expect(await mailsOf(member)).toHaveLength(1);
  });

  // spec: docs/contract.md#double-opt-in: three a day
  it('goes out three times a day of a workspace to a mailbox at most, whatever the audience and the tag; then the day after', async () => {
    const sender = await createSender(subject.stores);
    const emails = ['sering@contoh.test', 'sering+a@contoh.test', 'sering+b+c@contoh.test'];
    for (const email of emails) expect(await run(await asked(sender, email))).toEqual(DONE);
    const others = await createSender(subject.stores);
    const fourth = await asked(sender, 'sering+d@contoh.test');
    expect(await run(await asked(others, 'sering@contoh.test'))).toEqual(DONE);
    const tomorrow = nextWibMidnight(subject.clock.now());
    expect(await run(fourth)).toEqual({ kind: 'again', next: { dueAt: tomorrow } });
    expect(await mailsOf(fourth)).toHaveLength(3);
    expect(confirmationMessageId(fourth.emailHash, tomorrow, 1)).not.toBe(
      confirmationMessageId(fourth.emailHash, tomorrow - 1, 1),
    );
  });

  it('of all workspaces goes out ten times a day to a mailbox', async () => {
    const members = [];
    for (let n = 0; n < 11; n += 1) members.push(await asked(undefined, `semua+${n}@contoh.test`));
    const outcomes = await Promise.all(members.map((member) => run(member)));
    expect(outcomes.filter(({ kind }) => kind === 'done')).toHaveLength(10);
    const mails = await Promise.all(members.map(mailsOf));
    expect(mails.flat()).toHaveLength(10);
  });

  it('of four audiences at once goes out three times', async () => {
    const email = 'serentak@contoh.test';
    const sender = await createSender(subject.stores);
    const members: Asked[] = [];
    for (let n = 0; n < 4; n += 1) members.push(await asked(sender, email));
    const outcomes = await Promise.all(members.map((member) => run(member)));
    expect(outcomes.filter(({ kind }) => kind === 'done')).toHaveLength(3);
    expect(await mailsOf(members[0]!)).toHaveLength(3);
  });

  it('is sent for the newest request only, and not once it is confirmed or the time is over', async () => {
    const member = await asked();
    await member.ask();
    expect(await run(member, 1)).toEqual(DONE);
    expect(await mailsOf(member)).toEqual([]);
    await subject.stores.optIns.confirm(member.ref, subject.clock.now());
    expect(await run(member, 2)).toEqual(DONE);
    expect(await mailsOf(member)).toEqual([]);
  });

  it.each(['bounced', 'complained'] as const)('is not sent to a contact that %s', async (status) => {
    const member = await asked();
    await subject.stores.contacts.raiseStatus(member.ref.workspaceId, member.ref.contactId, status, 1);
    expect(await run(member)).toEqual(DONE);
    expect(await mailsOf(member)).toEqual([]);
  });

  it('is not sent to a contact that unsubscribed after it asked, but to one that did so before', async () => {
    const member = await asked();
    const { workspaceId, contactId } = member.ref;
    subject.clock.advance(1);
    await subject.stores.contacts.raiseStatus(workspaceId, contactId, 'unsubscribed', subject.clock.now());
    expect(await run(member)).toEqual(DONE);
    expect(await mailsOf(member)).toEqual([]);
    await member.ask();
    expect(await run(member, 2)).toEqual(DONE);
    expect(await mailsOf(member)).toHaveLength(1);
  });

  // spec: docs/contract.md#double-opt-in: no mail to the suppressed
  it('is not sent to a suppressed address, and costs no penalty', async () => {
    const member = await asked();
    const { workspaceId } = member.ref;
    const before = await subject.stores.coins.account(workspaceId);
    await subject.stores.suppressions.add(
      aSuppression({ workspaceId, addressHash: member.emailHash, reason: 'hard_bounce' }),
    );
    expect(await run(member)).toEqual(DONE);
    expect(await mailsOf(member)).toEqual([]);
    expect(await subject.stores.coins.account(workspaceId)).toEqual(before);
  });

  it('waits for an active domain', async () => {
    const sender = await createSender(subject.stores);
    await subject.stores.domains.setStatus(sender.domain.id, 'suspended');
    const member = await asked(sender);
    expect(await run(member)).toMatchObject({ kind: 'again' });
    await subject.stores.domains.setStatus(sender.domain.id, 'active');
    expect(await run(member)).toEqual(DONE);
    expect(await mailsOf(member)).toHaveLength(1);
  });

  it('shows names as text, without merge tags', () => {
    const { subject: title, body } = confirmationMail({
      language: 'id',
      audience: 'A <b> {{email}}',
      business: { name: 'Toko\n& Co', address: '' },
      link: 'https://x.test/c/1',
    });
    expect(title).toBe('Konfirmasi langganan Anda: A <b> email');
    expect(body.html).toContain('A &lt;b&gt; email dari Toko &amp; Co');
    expect(body.text).not.toMatch(/\{\{/);
  });
});

describe('the end of a pending membership', () => {
  const expire = ({ ref }: Asked) =>
    confirmExpiry(subject).each({
      ...task(CONFIRM_EXPIRY, `${ref.audienceId}:${ref.contactId}`, ref.workspaceId),
      payload: {},
    });

  it('waits until the time is over, and for as long as it was renewed', async () => {
    const member = await asked();
    const next = { dueAt: subject.clock.now() + CONFIRM_WITHIN };
    expect(await expire(member)).toEqual({ kind: 'again', next });
    await subject.stores.optIns.confirm(member.ref, subject.clock.now());
    expect(await expire(member)).toEqual(DONE);
  });
});
