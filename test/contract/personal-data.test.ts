import { describe, expect, it } from '@jest/globals';
import { messageRecords } from '../../operations/audit/message-records';
import { checkMessage } from '../../domain/audit/check-message';
import { ERASED } from '../../domain/addresses/erasure';
import type { Message } from '../../domain/messages/message';
import { deliveryId } from '../../domain/webhooks/webhook-delivery';
import { maskAddresses } from '../../domain/addresses/mask-addresses';
import { texts } from '../../domain/texts';
import {
  acceptMessage,
  acceptOne,
  aContact,
  aSignal,
  anAcceptance,
  createSender,
  nextSerial,
  type Sender,
} from '../support/builders';
import { TEST_START } from '../support/clock';
import { claim } from './claiming';
import { aResult, anAttempt, anEvent, claimOne, register } from './delivery-store/support';
import { onEveryDriver } from './drivers';
import { sharedEngine, type OpenEngine, type Subject } from './harness';
import { at, atOnce, eventually, present } from './helpers';

const LATER = TEST_START + 60_000;
const NAME = 'Sari Dewi';

interface Known {
  sender: Sender;
  email: string;
}

/** A contact with a name, whose address no other case uses. */
async function known(subject: Subject): Promise<Known> {
  const sender = await createSender(subject.stores);
  const email = `sari.dewi+${nextSerial()}@contoh.test`;
  const contact = await subject.stores.contacts.ensure(aContact(sender.workspace.id, { email, name: NAME }));
  return { sender: { ...sender, contact }, email };
}

/** A mail with the address and the name wherever a caller can put them. */
function personal(subject: Subject, { sender, email }: Known, more: { attachment?: boolean } = {}): Promise<Message> {
  const files = more.attachment
    ? {
        attachments: [
          { filename: `${email}.csv`, contentType: 'text/csv', content: Buffer.from(`${email};${NAME}`, 'utf16le') },
        ],
        attachmentsUntil: LATER,
      }
    : {};
  return acceptMessage(subject.stores, sender, {
    ...files,
    facts: {
      toText: email.replace('s', 'S'),
      subject: `Halo ${NAME.toUpperCase()} <${email}>`,
      fromName: `Toko untuk ${NAME}`,
      replyTo: email,
      thread: { messageId: `<1.${email}>`, inReplyTo: [`<reply+${email.replace('@', '=')}@x>`], references: [] },
      metadata: { who: email.toUpperCase(), name: NAME, note: 'biasa', count: 2 },
    },
    body: { html: `<p>${email}</p>`, text: `Halo ${email}` },
  });
}

const encoded = (email: string): string => `https://toko.test/?e=${encodeURIComponent(email)}&x=1`;

/** Claims the mail and hands it off, with a link that contains the address and a reply that quotes it. */
async function handOver(subject: Subject, { sender, email }: Known, id: string): Promise<void> {
  await claim(subject, sender);
  const set = { status: 'sent_to_mta', fence: 'f', fencedAt: LATER, dispatchedAt: LATER, failedReason: `<${email}>?` };
  await subject.stores.messages.change(id, () => ({
    set: { ...set, status: 'sent_to_mta', dueAt: LATER, attachmentsUntil: null },
    at: LATER,
    attempt: { finishedAt: LATER, outcome: 'sent', reply: `250 2.1.5 <${email}> ok` },
    links: [encoded(email), 'https://toko.test/'],
    dropAttachments: true,
    records: [],
  }));
}

function describeDeletion(open: OpenEngine): void {
  describe('deleting a contact', () => {
    const subject = sharedEngine(open);
    const remove = ({ sender: { contact } }: Known) => subject.stores.contacts.delete(contact.workspaceId, contact.id);

    // spec: docs/contract.md#delete-a-contact: DELETE /contacts/{id}: message history is anonymized
    it('leaves its address nowhere: contact, messages, bodies, attachments, replies, links, outbox, log', async () => {
      const person = await known(subject);
      const sent = await personal(subject, person, { attachment: true });
      await handOver(subject, person, sent.id);
      await personal(subject, person, { attachment: true });
      const before = await subject.places(person.email);
      for (const kind of ['contacts', 'messages', 'bodies', 'attachments']) {
        expect(before.map((place) => place.split(' ')[0])).toContain(kind);
      }
      expect(await remove(person)).toBe(true);
      await eventually(async () => expect(await subject.places(person.email)).toEqual([]));
    });

    // spec: docs/contract.md#delete-a-contact: DELETE /contacts/{id}: message history is anonymized
    it('takes the address and the name out of what is kept of a message, in any case and encoding, and nothing else', async () => {
      const person = await known(subject);
      const message = await personal(subject, person);
      await handOver(subject, person, message.id);
      const stored = present(await subject.stores.messages.get(message.id));
      await remove(person);
      expect(await subject.stores.messages.get(message.id)).toEqual({
        ...stored,
        to: null,
        toText: null,
        subject: `Halo ${ERASED} <${ERASED}>`,
        fromName: `Toko untuk ${ERASED}`,
        replyTo: ERASED,
        thread: null,
        metadata: { who: ERASED, name: ERASED, note: 'biasa', count: 2 },
        failedReason: `<${ERASED}>?`,
        version: stored.version + 1,
      });
      expect(await subject.stores.messages.links(message.id)).toEqual([
        `https://toko.test/?e=${ERASED}&x=1`,
        'https://toko.test/',
      ]);
      expect(at(await subject.stores.messages.attempts(message.id), 0).reply).toBe(`250 2.1.5 <${ERASED}> ok`);
      expect(await subject.stores.messages.history(message.id)).toHaveLength(3);
    });

    it('leaves the messages of others alone, also those to a longer address that ends alike', async () => {
      const person = await known(subject);
      const { contacts, messages } = subject.stores;
      const other = await contacts.ensure(aContact(person.sender.workspace.id, { email: `x${person.email}` }));
      const kept = await acceptMessage(subject.stores, { ...person.sender, contact: other });
      await remove(person);
      expect(await messages.get(kept.id)).toEqual(kept);
      expect((await messages.job(kept.id))?.body).toEqual({ html: '<p>Halo {{nama|Kak}}</p>', text: null });
      expect(await subject.places(person.email)).toEqual([]);
    });

    it('leaves nothing to hand over of a message that was claimed', async () => {
      const person = await known(subject);
      const message = await personal(subject, person, { attachment: true });
      await claim(subject, person.sender);
      await remove(person);
      expect(await subject.stores.messages.job(message.id)).toMatchObject({
        message: { status: 'sending', to: null, attachmentsUntil: null },
        contact: null,
        body: null,
        attachments: [],
      });
    });

    // spec: docs/contract.md#delete-a-contact: DELETE /contacts/{id}: what waited for the contact fails with the
    //   reason, without a coin
    it('lets a message that waits fail at its turn', async () => {
      const person = await known(subject);
      const message = await personal(subject, person, { attachment: true });
      await remove(person);
      const { claimed, refused } = await claim(subject, person.sender);
      expect([claimed, refused]).toEqual([[], 1]);
      expect(await subject.stores.messages.get(message.id)).toMatchObject({
        status: 'failed',
        failedReason: texts.contactDeleted,
      });
    });

    // spec: docs/contract.md#delete-a-contact: a bounce or complaint after the deletion still suppresses the address
    it('keeps the hash of the address with what was handed over, and with nothing else', async () => {
      const person = await known(subject);
      const [sent, waiting] = [await personal(subject, person), await personal(subject, person)];
      await handOver(subject, person, sent.id);
      await subject.stores.messages.change(waiting.id, () => ({
        set: { status: 'queued', fence: null, fencedAt: null },
        at: LATER,
        records: [],
      }));
      const { contacts } = subject.stores;
      const { emailHash } = person.sender.contact;
      expect([await contacts.recipientHash(sent.id), await contacts.recipientHash(waiting.id)]).toEqual([
        emailHash,
        emailHash,
      ]);
      await remove(person);
      expect([await contacts.recipientHash(sent.id), await contacts.recipientHash(waiting.id)]).toEqual([
        emailHash,
        null,
      ]);
    });

    // spec: docs/contract.md#delete-a-contact: DELETE /contacts/{id}: message history is anonymized
    it('takes along what is kept of a message that is being accepted at the time', async () => {
      const person = await known(subject);
      const late = Array.from({ length: 20 }, () =>
        anAcceptance(person.sender, {
          facts: { subject: `Untuk ${person.email}` },
          body: { html: person.email },
          attachments: [{ filename: 'a', contentType: 'text/plain', content: Buffer.from(person.email) }],
          attachmentsUntil: LATER,
        }),
      );
      const { contacts, messages } = subject.stores;
      const { workspaceId, id } = person.sender.contact;
      await Promise.all([
        ...late.slice(0, 10).map((acceptance) => acceptOne(messages, acceptance)),
        contacts.delete(workspaceId, id),
        ...late.slice(10).map((acceptance) => acceptOne(messages, acceptance)),
      ]);
      await eventually(async () => expect(await subject.places(person.email)).toEqual([]));
      for (const { facts } of late)
        expect(await messages.get(facts.id)).toMatchObject({ to: null, subject: `Untuk ${ERASED}` });
    });

    // spec: docs/contract.md#delete-a-contact: DELETE /contacts/{id}: message history is anonymized
    it('stands beside claims, changes and signals of the same moment, and nothing is left of it', async () => {
      const person = await known(subject);
      const all = await atOnce(10, () => personal(subject, person));
      const { contacts, messages, signals } = subject.stores;
      const { workspaceId, id } = person.sender.contact;
      await Promise.all([
        claim(subject, person.sender, { limit: 5 }),
        contacts.delete(workspaceId, id),
        ...all.map((message) =>
          messages.change(message.id, ({ to }) => ({
            set: { failedReason: maskAddresses(`550 <${to}>`) },
            at: LATER,
            links: to === null ? [] : [encoded(to)],
            records: [],
          })),
        ),
        ...all.map((message) => signals.store(aSignal(message.id, { kind: 'click', link: 0 }), workspaceId, [])),
      ]);
      await eventually(async () => expect(await subject.places(person.email)).toEqual([]));
    });

    it('of a contact with more messages than fit into one step ends with all of them anonymous', async () => {
      const person = await known(subject);
      const all = await atOnce(450, () => personal(subject, person));
      expect(await remove(person)).toBe(true);
      const stored = await Promise.all(all.map(({ id }) => subject.stores.messages.get(id)));
      expect(stored.filter((message) => message?.to !== null)).toEqual([]);
      await eventually(async () => expect(await subject.places(person.email)).toEqual([]));
    });

    it('is finished after a crash', async () => {
      const person = await known(subject);
      await atOnce(450, () => personal(subject, person));
      // Not awaited: it is interrupted before or after the first commit.
      const cut = remove(person).catch(() => false);
      await subject.stores.contacts.get(person.sender.workspace.id, person.sender.contact.id);
      await subject.crash();
      await cut;
      const left = await subject.stores.contacts.get(person.sender.workspace.id, person.sender.contact.id);
      if (left) await remove(person);
      await eventually(async () => expect(await subject.places(person.email)).toEqual([]));
    });

    it('leaves its address in no delivery of a webhook: answers go, and to is null in what still waits', async () => {
      const person = await known(subject);
      const { deliveries } = subject.stores;
      const workspaceId = person.sender.workspace.id;
      const message = await personal(subject, person);
      const webhook = await register(subject, ['delivered', 'bounce'], workspaceId);
      const fail = async (fields: Parameters<typeof anEvent>[1]) => {
        await deliveries.fanOut(anEvent(workspaceId, { messageId: message.id, ...fields }), TEST_START);
        const answered = anAttempt({ answer: `{"to":"${person.email}","e":"${encodeURIComponent(person.email)}"}` });
        const result = aResult({ state: 'waiting', attempts: [answered], nextAt: LATER, contactId: message.contactId });
        const task = await claimOne(subject, webhook.id, TEST_START);
        return async () => deliveries.finish(task, result);
      };
      const finishFirst = await fail({});
      expect(await finishFirst()).toBe(true);
      const finishLate = await fail({ event: 'bounce', reason: maskAddresses(`550 <${person.email}> unknown`) });
      expect((await subject.places(person.email)).some((place) => /^webhook_?deliveries attempts/i.test(place))).toBe(
        true,
      );
      await remove(person);
      expect(await finishLate()).toBe(true);
      await eventually(async () => expect(await subject.places(person.email)).toEqual([]));
      const left = await deliveries.ofMessage(message.id);
      expect(left.map(({ state, attempts }) => [state, attempts.map(({ answer }) => answer)])).toEqual([
        ['waiting', [null]],
        ['waiting', [null]],
      ]);
    });

    // spec: docs/contract.md#delete-a-contact: DELETE /contacts/{id}: message history is anonymized
    it('leaves nothing for the audit to find', async () => {
      const person = await known(subject);
      await personal(subject, person, { attachment: true });
      await personal(subject, person, { attachment: true });
      await claim(subject, person.sender, { limit: 1, leaseUntil: TEST_START + 12 * 60_000 });
      await remove(person);
      const source = await subject.audit();
      await source.snapshot(async (rows) => {
        for await (const page of messageRecords(rows, person.sender.workspace.id))
          expect(page.flatMap(checkMessage)).toEqual([]);
      });
    });
  });
}

function describeLooking(open: OpenEngine): void {
  describe('looking for an address', () => {
    const subject = sharedEngine(open);

    it('finds it in attachments as UTF-8, UTF-16 and base64', async () => {
      const { sender } = await known(subject);
      const email = `lampiran${nextSerial()}@contoh.test`;
      const contents = [email, Buffer.from(`x;${email}`, 'utf16le'), Buffer.from(`ab${email}c`).toString('base64')];
      for (const content of contents) {
        const file = { filename: 'a', contentType: 'text/plain', content: Buffer.from(content) };
        const { id } = await acceptMessage(subject.stores, sender, { attachments: [file], attachmentsUntil: LATER });
        expect(await subject.places(email)).toEqual(['attachments content']);
        await subject.stores.messages.change(id, () => ({
          set: { attachmentsUntil: null },
          at: LATER,
          dropAttachments: true,
          records: [],
        }));
        await eventually(async () => expect(await subject.places(email)).toEqual([]));
      }
    });

    it('finds it in records that the log still keeps, in parked ones and in the trail of operators', async () => {
      const email = `catatan${nextSerial()}@contoh.test`;
      const { log, stores } = subject;
      const feedback = {
        kind: 'bounced',
        class: 'address_unknown',
        hard: true,
        trusted: true,
        text: `550 <${email}>`,
        at: TEST_START,
      } as const;
      await log.publish([{ topic: 'mta.feedback', key: 'm', value: { messageId: 'm', feedback } }]);
      await stores.operatorLog.append({ at: 1, actor: 'a', action: 'b', target: `to ${email}`, workspaceId: null });
      const places = await subject.places(email);
      expect(places).toContain('log mta.feedback value');
      expect(places.some((place) => /^operator_?log target$/i.test(place))).toBe(true);
    });

    it('finds it in events for webhooks and in their deliveries, and names whose they are', async () => {
      const { sender } = await known(subject);
      const workspaceId = sender.workspace.id;
      const email = `acara${nextSerial()}@contoh.test`;
      const webhook = await register(subject, ['bounce'], workspaceId);
      const event = anEvent(workspaceId, { event: 'bounce', reason: `550 <${email}>` });
      await subject.stores.deliveries.fanOut(event, TEST_START);
      const delivery = deliveryId(event, webhook.id);
      const found = await subject.found(email);
      const place = (id: string) => ({ kind: expect.stringMatching(/^webhook/), id, workspaceId, field: 'reason' });
      expect(found).toHaveLength(2);
      expect(found).toEqual(expect.arrayContaining([place(delivery), place(event.id)]));
    });

    it('does not take the end of a longer address for it', async () => {
      const { email } = await known(subject);
      expect(await subject.places(email.replace('sari.', ''))).toEqual([]);
    });
  });
}

/** The behaviour that every driver must show for the deletion of a contact and in PersonalDataSource. */
function describePersonalData(open: OpenEngine): void {
  describe('personal data', () => {
    describeDeletion(open);
    describeLooking(open);
  });
}

onEveryDriver(describePersonalData);
