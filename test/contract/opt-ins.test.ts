import { describe, expect, it } from '@jest/globals';
import type { Audience } from '../../domain/contacts/audience';
import type { Contact } from '../../domain/contacts/contact';
import { CONFIRM_EXPIRY, CONFIRM_MAIL, CONFIRM_WITHIN } from '../../domain/contacts/opt-in';
import type { NewContact } from '../../stores/ports/contact-store';
import type { ClaimedTask } from '../../stores/ports/due-tasks';
import type { MemberRef } from '../../stores/ports/opt-ins';
import { aContact, aSuppression, aWorkspace } from '../support/builders';
import { TEST_START } from '../support/clock';
import { anAudience, aJourney } from '../support/marketing';
import { onEveryDriver } from './drivers';
import { freshEngine, sharedEngine, type OpenEngine, type Subject } from './harness';
import { atOnce, present } from './helpers';
import { describeBounces } from './opt-ins/bounces.cases';

const NOW = TEST_START + 60_000;
const ALL = { offset: 0, limit: 100 };
const UNKNOWN = 999_999_999;

/** One audience, and what the cases do with it. */
class List {
  private constructor(
    readonly subject: Subject,
    readonly audience: Audience,
  ) {}

  static async of(subject: Subject, optInMode: 'single' | 'double'): Promise<List> {
    const { id } = await subject.stores.workspaces.create(aWorkspace());
    return new List(subject, await subject.stores.audiences.create(anAudience(id, { optInMode })));
  }

  get workspaceId(): number {
    return this.audience.workspaceId;
  }

  contact(overrides: Partial<NewContact> = {}): Promise<Contact> {
    return this.subject.stores.contacts.ensure(aContact(this.workspaceId, overrides));
  }

  send(contact: Pick<Contact, 'email'> & Partial<NewContact>, at = NOW): Promise<boolean> {
    const { workspaceId, audience } = this;
    return this.subject.stores.optIns.subscribe({
      workspaceId,
      audienceId: audience.id,
      contact: aContact(workspaceId, { ...contact, at }),
      language: 'en',
      at,
    });
  }

  ref({ id: contactId }: Pick<Contact, 'id'>): MemberRef {
    return { workspaceId: this.workspaceId, audienceId: this.audience.id, contactId };
  }

  async member(contact: Pick<Contact, 'id'>) {
    return (await this.subject.stores.optIns.find(this.ref(contact)))?.member ?? null;
  }

  confirm(contact: Pick<Contact, 'id'>, at = NOW + 1_000) {
    return this.subject.stores.optIns.confirm(this.ref(contact), at);
  }

  expire(contact: Pick<Contact, 'id'>, at: number) {
    return this.subject.stores.optIns.expire(this.ref(contact), at);
  }

  consents({ id }: Pick<Contact, 'id'>) {
    return this.subject.stores.optIns.consents(this.workspaceId, id);
  }

  async find(email: string): Promise<Contact> {
    return present(await this.subject.stores.contacts.find(this.workspaceId, email));
  }

  /** The audience's count and the total of its pages. */
  async counts(): Promise<[number, number]> {
    const { audiences } = this.subject.stores;
    const { total } = present(await audiences.members(this.workspaceId, this.audience.id, ALL));
    return [present(await audiences.get(this.workspaceId, this.audience.id)).contactsCount, total];
  }

  /** The tasks of a kind for this audience that are due by then. */
  async due(kind: string, now: number): Promise<Pick<ClaimedTask, 'id' | 'dueAt' | 'payload' | 'workspaceId'>[]> {
    const tasks = await this.subject.stores.dueTasks.claim({ kind, now, leaseUntil: now + 1, limit: 1_000 });
    const own = tasks.filter(({ workspaceId }) => workspaceId === this.workspaceId);
    return own.map(({ id, dueAt, payload, workspaceId }) => ({ id, dueAt, payload, workspaceId }));
  }
}

function describeSingle(open: OpenEngine): void {
  describe('a form of single opt-in', () => {
    const subject = sharedEngine(open);

    it('makes a new contact a confirmed member at once, with its consent', async () => {
      const list = await List.of(subject, 'single');
      const given = aContact(list.workspaceId, { name: 'Sari' });
      expect(await list.send(given)).toBe(true);
      await subject.crash();
      const contact = await list.find(given.email);
      expect(contact).toMatchObject({ name: 'Sari', status: 'subscribed', subscribedAt: NOW });
      const settled = { joinedAt: NOW, confirmedAt: NOW, pendingUntil: null, asked: 0, byForm: false };
      expect(await list.member(contact)).toEqual(settled);
      expect(await list.consents(contact)).toEqual([{ at: NOW, source: 'form', audienceId: list.audience.id }]);
      expect(await list.counts()).toEqual([1, 1]);
      expect(await list.due(CONFIRM_MAIL, NOW)).toEqual([]);
    });

    it('changes nothing for a member that is subscribed, not even its name', async () => {
      const list = await List.of(subject, 'single');
      const contact = await list.contact({ name: 'Sari' });
      await list.send(contact);
      await list.send({ email: contact.email, name: 'Orang lain' }, NOW + 5);
      expect(await list.find(contact.email)).toEqual(contact);
      expect(await list.consents(contact)).toHaveLength(1);
      expect(await list.counts()).toEqual([1, 1]);
    });

    // spec: docs/contract.md#public-form: an unsubscribed contact comes back
    it('brings back a contact that unsubscribed, and none that bounced or complained', async () => {
      const list = await List.of(subject, 'single');
      for (const status of ['unsubscribed', 'bounced', 'complained'] as const) {
        const contact = await list.contact();
        await list.send(contact);
        await subject.stores.contacts.raiseStatus(list.workspaceId, contact.id, status, NOW + 1);
        await list.send(contact, NOW + 2);
        const back = { status: 'subscribed', subscribedAt: NOW + 2, unsubscribedAt: null };
        expect(await list.find(contact.email)).toMatchObject(status === 'unsubscribed' ? back : { status });
        expect(await list.consents(contact)).toHaveLength(status === 'unsubscribed' ? 2 : 1);
      }
    });

    // spec: docs/contract.md#public-form: the suppression list stays
    it('leaves the suppression lists as they are', async () => {
      const list = await List.of(subject, 'single');
      const contact = await list.contact();
      const entry = aSuppression({ workspaceId: list.workspaceId, addressHash: contact.emailHash, reason: 'manual' });
      await subject.stores.suppressions.add(entry);
      await list.send(contact);
      expect(await subject.stores.suppressions.reason(list.workspaceId, contact.emailHash)).toBe('manual');
      expect(await subject.stores.optIns.find(list.ref(contact))).toMatchObject({ suppressed: true });
    });

    it('starts the journeys on joining and on the form, once', async () => {
      const list = await List.of(subject, 'single');
      const { workspaceId, audience } = list;
      const { journeys, journeyRuns } = subject.stores;
      const joined = await journeys.create(
        aJourney(workspaceId, { triggerType: 'audience_join', audienceId: audience.id }),
      );
      const anyForm = await journeys.create(aJourney(workspaceId, { triggerType: 'form_subscribe' }));
      const member = await list.contact();
      await subject.stores.audiences.join(workspaceId, audience.id, { contactId: member.id }, NOW);
      const enrolled = async () =>
        Promise.all(
          [joined, anyForm].map(async ({ id }) => (await journeyRuns.list({ workspaceId, id }, 0, 10)).length),
        );
      expect(await enrolled()).toEqual([1, 0]);
      for (const at of [NOW + 1, NOW + 2]) await list.send(member, at);
      expect(await enrolled()).toEqual([1, 1]);
    });

    it('of another workspace, or of nobody, makes no contact', async () => {
      const list = await List.of(subject, 'single');
      const other = await List.of(subject, 'single');
      const contact = aContact(other.workspaceId);
      for (const audienceId of [list.audience.id, UNKNOWN]) {
        const subscription = { workspaceId: other.workspaceId, audienceId, contact, language: 'id', at: NOW } as const;
        expect(await subject.stores.optIns.subscribe(subscription)).toBe(false);
      }
      expect(await subject.stores.contacts.find(other.workspaceId, contact.email)).toBeNull();
    });
  });
}

function describeDouble(open: OpenEngine): void {
  describe('a form of double opt-in', () => {
    const subject = freshEngine(open);

    // spec: docs/contract.md#double-opt-in: pending until it confirms
    it('makes a pending member, with a confirmation mail to send and an end', async () => {
      const list = await List.of(subject, 'double');
      const given = aContact(list.workspaceId);
      await list.send(given);
      await subject.crash();
      const contact = await list.find(given.email);
      const until = NOW + CONFIRM_WITHIN;
      const pending = { joinedAt: NOW, confirmedAt: null, pendingUntil: until, asked: 1, byForm: true };
      expect(await list.member(contact)).toEqual(pending);
      const id = `${list.audience.id}:${contact.id}`;
      const { workspaceId } = list;
      const mail = { id: `${id}:1`, dueAt: NOW, payload: { language: 'en' }, workspaceId };
      expect(await list.due(CONFIRM_MAIL, NOW)).toEqual([mail]);
      expect(await list.due(CONFIRM_EXPIRY, until)).toEqual([{ id, dueAt: until, payload: {}, workspaceId }]);
      expect(await list.counts()).toEqual([1, 1]);
    });

    // spec: docs/contract.md#double-opt-in: to ask again renews
    it('asked again renews the time, and the consent is the newest', async () => {
      const list = await List.of(subject, 'double');
      const contact = await list.contact();
      await list.send(contact);
      await list.send(contact, NOW + 9);
      expect(await list.member(contact)).toMatchObject({
        joinedAt: NOW,
        asked: 2,
        pendingUntil: NOW + 9 + CONFIRM_WITHIN,
      });
      expect(await list.consents(contact)).toEqual([{ at: NOW + 9, source: 'form', audienceId: list.audience.id }]);
      expect((await list.due(CONFIRM_MAIL, NOW + 9)).map(({ id }) => id.split(':')[2])).toEqual(['1', '2']);
      expect(await list.counts()).toEqual([1, 1]);
    });

    // spec: docs/contract.md#double-opt-in: confirmed once
    // spec: docs/contract.md#consent: form and confirmation
    it('is confirmed once, whatever comes at once, with its consent', async () => {
      const list = await List.of(subject, 'double');
      const contact = await list.contact();
      await list.send(contact);
      const outcomes = await atOnce(10, () => list.confirm(contact));
      expect(outcomes.filter((outcome) => outcome === 'confirmed')).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome === 'before')).toHaveLength(9);
      await subject.crash();
      expect(await list.member(contact)).toMatchObject({ confirmedAt: NOW + 1_000, pendingUntil: null });
      expect(await list.consents(contact)).toEqual([
        { at: NOW, source: 'form', audienceId: list.audience.id },
        { at: NOW + 1_000, source: 'confirmation', audienceId: list.audience.id },
      ]);
      expect(await list.expire(contact, NOW + 2 * CONFIRM_WITHIN)).toBeNull();
      expect(await list.counts()).toEqual([1, 1]);
    });

    // spec: docs/contract.md#public-form: with double opt-in when it confirms
    it('brings back a contact that unsubscribed when it confirms, and not before', async () => {
      const list = await List.of(subject, 'double');
      const contact = await list.contact();
      await list.send(contact);
      await list.confirm(contact);
      await subject.stores.contacts.raiseStatus(list.workspaceId, contact.id, 'unsubscribed', NOW + 2_000);
      expect(await list.confirm(contact, NOW + 2_500)).toBe('expired');
      await list.send(contact, NOW + 3_000);
      expect(await list.member(contact)).toMatchObject({ confirmedAt: null, asked: 2 });
      expect(await list.find(contact.email)).toMatchObject({ status: 'unsubscribed' });
      expect(await list.confirm(contact, NOW + 4_000)).toBe('confirmed');
      const back = { status: 'subscribed', subscribedAt: NOW + 4_000, unsubscribedAt: null };
      expect(await list.find(contact.email)).toMatchObject(back);
    });

    it('is not confirmed by a contact that unsubscribed since it was asked, or whom no form asked', async () => {
      const list = await List.of(subject, 'double');
      const { workspaceId, audience } = list;
      const contact = await list.contact();
      await list.send(contact);
      await subject.stores.contacts.raiseStatus(workspaceId, contact.id, 'unsubscribed', NOW + 1);
      expect(await list.confirm(contact, NOW + 2)).toBe('expired');
      await subject.stores.audiences.leave(workspaceId, audience.id, contact.id, NOW + 3);
      await subject.stores.audiences.join(workspaceId, audience.id, { contactId: contact.id }, NOW + 4);
      expect(await list.confirm(contact, NOW + 5)).toBe('expired');
      expect(await list.find(contact.email)).toMatchObject({ status: 'unsubscribed' });
      await list.send(contact, NOW + 6);
      expect(await list.confirm(contact, NOW + 7)).toBe('confirmed');
      expect(await list.find(contact.email)).toMatchObject({ status: 'subscribed' });
    });

    // spec: docs/contract.md#double-opt-in: journeys start on confirmation
    it('starts journeys when it is confirmed, and not before', async () => {
      const list = await List.of(subject, 'double');
      const { workspaceId, audience } = list;
      const { journeys, journeyRuns } = subject.stores;
      const journey = (triggerType: 'audience_join' | 'form_subscribe') =>
        journeys.create(aJourney(workspaceId, { triggerType, audienceId: audience.id }));
      const started = [await journey('audience_join'), await journey('form_subscribe')];
      const enrolled = async () =>
        Promise.all(started.map(async ({ id }) => (await journeyRuns.list({ workspaceId, id }, 0, 10)).length));
      const contact = await list.contact();
      await list.send(contact);
      expect(await enrolled()).toEqual([0, 0]);
      await list.confirm(contact);
      expect(await enrolled()).toEqual([1, 1]);
    });

    it('leaves a confirmed member that is subscribed as it is', async () => {
      const list = await List.of(subject, 'double');
      const contact = await list.contact();
      await list.send(contact);
      await list.confirm(contact);
      await list.send(contact, NOW + 5_000);
      expect(await list.member(contact)).toMatchObject({ confirmedAt: NOW + 1_000 });
      expect(await list.consents(contact)).toHaveLength(2);
    });

    // spec: docs/contract.md#double-opt-in: 14 days
    it('ends after 14 days: the clock decides, and the row goes once', async () => {
      const list = await List.of(subject, 'double');
      const contact = await list.contact();
      await list.send(contact);
      const until = NOW + CONFIRM_WITHIN;
      expect(await list.expire(contact, until - 1)).toBe(until);
      expect(await list.confirm(contact, until)).toBe('expired');
      expect(await list.counts()).toEqual([1, 1]);
      expect(await atOnce(3, () => list.expire(contact, until))).toEqual([null, null, null]);
      expect(await list.counts()).toEqual([0, 0]);
      expect(await list.member(contact)).toBeNull();
      expect(await list.confirm(contact, NOW)).toBe('expired');
      await list.send(contact, until + 1);
      expect(await list.member(contact)).toMatchObject({ joinedAt: until + 1, asked: 1 });
    });

    // spec: docs/contract.md#consent: deleted with the contact
    it('is gone with its contact, and so are its consents', async () => {
      const list = await List.of(subject, 'double');
      const contact = await list.contact();
      await list.send(contact);
      await subject.stores.contacts.delete(list.workspaceId, contact.id);
      expect(await subject.stores.optIns.find(list.ref(contact))).toBeNull();
      expect(await list.confirm(contact)).toBeNull();
      expect(await list.expire(contact, NOW + CONFIRM_WITHIN)).toBeNull();
      expect(await list.consents(contact)).toEqual([]);
    });

    it('of 30 callers with one address at once makes one member', async () => {
      const list = await List.of(subject, 'double');
      const given = aContact(list.workspaceId);
      await atOnce(30, (index) => list.send(given, NOW + index));
      expect(await list.counts()).toEqual([1, 1]);
      const contact = await list.find(given.email);
      expect(await list.member(contact)).toMatchObject({ asked: 30 });
      expect(await list.consents(contact)).toHaveLength(1);
    });
  });
}

function describeOthers(open: OpenEngine): void {
  describe('a member of double opt-in added in another way', () => {
    const subject = freshEngine(open);

    // spec: docs/contract.md#double-opt-in: by the API
    it('by the API is pending and asked, and asked again when it is added again', async () => {
      const list = await List.of(subject, 'double');
      const { workspaceId, audience } = list;
      const { audiences } = subject.stores;
      const given = aContact(workspaceId);
      expect(await audiences.join(workspaceId, audience.id, { contact: given }, NOW)).toMatchObject({ kind: 'joined' });
      expect(await audiences.join(workspaceId, audience.id, { contact: given }, NOW + 1)).toMatchObject({
        kind: 'member',
      });
      const contact = await list.find(given.email);
      expect(await list.member(contact)).toMatchObject({ confirmedAt: null, asked: 2, byForm: false });
      expect(await list.consents(contact)).toEqual([{ at: NOW + 1, source: 'api', audienceId: audience.id }]);
      expect(await list.due(CONFIRM_MAIL, NOW + 1)).toMatchObject([{ payload: {} }, {}]);
    });

    // spec: docs/contract.md#double-opt-in: no mail to those who left
    it('by its id has given no consent, and an unsubscribed one is not written to', async () => {
      const list = await List.of(subject, 'double');
      const { workspaceId, audience } = list;
      const contact = await list.contact();
      await subject.stores.contacts.raiseStatus(workspaceId, contact.id, 'unsubscribed', NOW);
      await subject.stores.audiences.join(workspaceId, audience.id, { contactId: contact.id }, NOW);
      expect(await list.member(contact)).toMatchObject({ confirmedAt: null, pendingUntil: NOW + CONFIRM_WITHIN });
      expect(await list.consents(contact)).toEqual([]);
      expect(await list.due(CONFIRM_MAIL, NOW)).toEqual([]);
      expect(await list.due(CONFIRM_EXPIRY, NOW + CONFIRM_WITHIN)).toHaveLength(1);
    });

    it('by a step of a journey is asked unless it was since the step fell due', async () => {
      const list = await List.of(subject, 'double');
      const { workspaceId, audience } = list;
      const contact = await list.contact();
      const join = (askedSince: number, at: number) =>
        subject.stores.audiences.join(workspaceId, audience.id, { contactId: contact.id, askedSince }, at);
      expect(await join(NOW, NOW + 1)).toMatchObject({ kind: 'joined' });
      expect(await join(NOW, NOW + 2)).toMatchObject({ kind: 'member' });
      expect(await list.member(contact)).toMatchObject({ asked: 1, pendingUntil: NOW + 1 + CONFIRM_WITHIN });
      expect(await list.due(CONFIRM_MAIL, NOW + 2)).toHaveLength(1);
      await join(NOW + 2, NOW + 3);
      expect(await list.member(contact)).toMatchObject({ asked: 2, pendingUntil: NOW + 3 + CONFIRM_WITHIN });
      const over = NOW + 3 + CONFIRM_WITHIN;
      await join(NOW, over);
      expect(await list.member(contact)).toMatchObject({ asked: 3, pendingUntil: over + CONFIRM_WITHIN });
    });

    // spec: docs/contract.md#double-opt-in: consent in an import
    it('from a file with consent is confirmed without a mail, and it is noted when, how and by whom', async () => {
      const list = await List.of(subject, 'double');
      const { workspaceId, audience } = list;
      const rows = ['subscribed', 'unsubscribed'].map((status) => ({
        ...aContact(workspaceId),
        status: status as never,
      }));
      const contacts = rows.map(({ email, emailHash, status }) => ({ email, emailHash, name: null, status }));
      const agreed = { source: 'import', by: 'dewi@toko.example' } as const;
      const batch = { workspaceId, audienceId: audience.id, contacts, agreed };
      const added = { created: 2, joined: 2, kept: 0 };
      expect(await subject.stores.bulkContacts.add({ ...batch, at: NOW })).toEqual(added);
      await subject.stores.bulkContacts.add({ ...batch, at: NOW + 1 });
      const [agreeing, left] = [await list.find(rows[0]!.email), await list.find(rows[1]!.email)];
      expect(await list.member(agreeing)).toMatchObject({ confirmedAt: NOW, pendingUntil: null, asked: 0 });
      expect(await list.consents(agreeing)).toEqual([{ at: NOW, audienceId: audience.id, ...agreed }]);
      expect(await list.member(left)).toMatchObject({ confirmedAt: null });
      expect(await list.consents(left)).toEqual([]);
      expect(await list.due(CONFIRM_MAIL, NOW + 1)).toEqual([]);
    });

    it('that waits is confirmed by a file with consent', async () => {
      const list = await List.of(subject, 'double');
      const { workspaceId, audience } = list;
      const contact = await list.contact();
      await subject.stores.audiences.join(workspaceId, audience.id, { contactId: contact.id }, NOW);
      const { email, emailHash, name, status } = contact;
      const batch = { workspaceId, audienceId: audience.id, contacts: [{ email, emailHash, name, status }] };
      const agreed = { source: 'import', by: null } as const;
      const before = { created: 0, joined: 0, kept: 0 };
      expect(await subject.stores.bulkContacts.add({ ...batch, agreed, at: NOW + 1 })).toEqual(before);
      expect(await list.member(contact)).toMatchObject({ joinedAt: NOW, confirmedAt: NOW + 1, pendingUntil: null });
      expect(await list.consents(contact)).toMatchObject([{ at: NOW + 1, source: 'import', audienceId: audience.id }]);
      expect(await subject.stores.audiences.get(workspaceId, audience.id)).toMatchObject({ contactsCount: 1 });
    });

    it('whom a file shows as opted out does not join while the contact is subscribed', async () => {
      const list = await List.of(subject, 'single');
      const { workspaceId, audience } = list;
      const { email, emailHash, name, id } = await list.contact();
      const contacts = [{ email, emailHash, name, status: 'unsubscribed' as const }];
      const agreed = { source: 'import', by: null } as const;
      const batch = { workspaceId, audienceId: audience.id, contacts, agreed, at: NOW };
      expect(await subject.stores.bulkContacts.add(batch)).toEqual({ created: 0, joined: 0, kept: 1 });
      expect(await subject.stores.audiences.ofContact(workspaceId, id)).toEqual([]);
      expect(await list.find(email)).toMatchObject({ status: 'subscribed' });
    });

    it('that a file without consent would ask is known before anything is written', async () => {
      const list = await List.of(subject, 'double');
      const { workspaceId, audience } = list;
      const [waiting, fresh, left, listed] = [await list.contact(), ...[1, 2, 3].map(() => aContact(workspaceId))];
      await subject.stores.audiences.join(workspaceId, audience.id, { contactId: waiting.id }, NOW);
      const entry = { workspaceId, addressHash: listed!.emailHash, reason: 'manual', messageId: null } as const;
      await subject.stores.suppressions.add({ ...entry, createdAt: NOW });
      const row = ({ email, emailHash }: { email: string; emailHash: string }, status = 'subscribed') => ({
        email,
        emailHash,
        name: null,
        status: status as 'subscribed',
      });
      const contacts = [row(waiting), row(fresh!), row(fresh!), row(left!, 'unsubscribed'), row(listed!)];
      const batch = { workspaceId, audienceId: audience.id, contacts, at: NOW };
      expect(await subject.stores.bulkContacts.toAsk(batch)).toEqual([fresh!.emailHash]);
      expect(await subject.stores.contacts.find(workspaceId, fresh!.email)).toBeNull();
    });

    // spec: docs/contract.md#double-opt-in: by a file
    it('from a file is asked once, however often the file is imported', async () => {
      const list = await List.of(subject, 'double');
      const { workspaceId, audience } = list;
      const { email, emailHash } = aContact(workspaceId);
      const contacts = [{ email, emailHash, name: null, status: 'subscribed' as const }];
      for (const at of [NOW, NOW + 1]) {
        await subject.stores.bulkContacts.add({ workspaceId, audienceId: audience.id, contacts, at });
      }
      const contact = await list.find(email);
      expect(await list.member(contact)).toMatchObject({ asked: 1, pendingUntil: NOW + CONFIRM_WITHIN });
      expect(await list.consents(contact)).toEqual([]);
      expect(await list.due(CONFIRM_MAIL, NOW + 1)).toHaveLength(1);
    });
  });
}

/** The OptIns behaviour required of every driver. */
function describeOptIns(open: OpenEngine): void {
  describe('OptIns', () => {
    describeSingle(open);
    describeDouble(open);
    describeOthers(open);
    describeBounces(open);
  });
}

onEveryDriver(describeOptIns);
