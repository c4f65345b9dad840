import { describe, expect, it } from '@jest/globals';
import { runAudit } from '../../../operations/audit/run-audit';
import type { Audience } from '../../../domain/contacts/audience';
import type { Difference } from '../../../domain/audit/difference';
import type { Contact } from '../../../domain/contacts/contact';
import type { Message } from '../../../domain/messages/message';
import {
  acceptMessage,
  acceptOne,
  aContact,
  anAcceptance,
  aSignal,
  createSender,
  nextSerial,
} from '../../support/builders';
import { TEST_START } from '../../support/clock';
import { addMembers, aConversion, aJourney, anAudience, anEnrollment } from '../../support/marketing';
import { sharedEngine, type OpenEngine, type Subject } from '../harness';
import { at, atOnce, eventually, present } from '../helpers';

const LATER = TEST_START + 60_000;
const ENGAGEMENT = { by: 'opens', since: null, audienceId: null, offset: 0, limit: 200 } as const;
/** Concurrent calls of each kind. */
const MANY = 8;

/** A workspace with a contact that is part of everything a contact can be part of, and a second contact. */
class Life {
  private constructor(
    private readonly subject: Subject,
    readonly workspaceId: number,
    private readonly people: readonly [Contact, Contact],
    readonly audiences: readonly Audience[],
    readonly journeyId: number,
    readonly messages: readonly Message[],
  ) {}

  static async begin(subject: Subject): Promise<Life> {
    const { stores } = subject;
    const { workspace, domain, contact: other } = await createSender(stores);
    const email = `sari.dewi+hidup${nextSerial()}@contoh.test`;
    const sari = await stores.contacts.ensure(aContact(workspace.id, { email, name: 'Sari Dewi' }));
    const audiences = [
      await stores.audiences.create(anAudience(workspace.id)),
      await stores.audiences.create(anAudience(workspace.id, { optInMode: 'double' })),
    ];
    const { id: journeyId } = await stores.journeys.create(aJourney(workspace.id));
    const messages = [];
    for (const contact of [sari, other]) {
      messages.push(
        await acceptMessage(stores, { workspace, domain, contact }, { facts: { subject: `Untuk ${contact.email}` } }),
      );
    }
    return new Life(subject, workspace.id, [sari, other], audiences, journeyId, messages);
  }

  get sari(): Contact {
    return this.people[0];
  }

  get other(): Contact {
    return this.people[1];
  }

  /** Makes both contacts members, enrolls them, and records purchases, opens and clicks. */
  async live(): Promise<void> {
    const { audiences, journeyRuns, conversions, signals } = this.subject.stores;
    for (const [n, { id: contactId, email }] of this.people.entries()) {
      for (const { id } of this.audiences) await audiences.join(this.workspaceId, id, { contactId }, LATER);
      await journeyRuns.enroll(this.enrollment(email));
      await conversions.accept(aConversion(this.workspaceId, { contactId }));
      for (const kind of ['open', 'click'] as const) {
        const signal = aSignal(at(this.messages, n).id, { kind, at: LATER, link: kind === 'click' ? 0 : null });
        await signals.store(signal, this.workspaceId, []);
      }
    }
  }

  enrollment(email = this.sari.email) {
    const contact = aContact(this.workspaceId, { email });
    return anEnrollment({ id: this.journeyId, workspaceId: this.workspaceId }, contact);
  }

  remove(id = this.sari.id): Promise<boolean> {
    return this.subject.stores.contacts.delete(this.workspaceId, id);
  }

  /** The ids of the contacts in the lists; fails when a count or a total differs. */
  async lists(): Promise<{ contacts: number[]; members: number[][]; engaged: number[] }> {
    const { contacts, audiences, engagement } = this.subject.stores;
    const page = await contacts.list(this.workspaceId, { offset: 0, limit: 200 });
    expect(page.total).toBe(page.items.length);
    const members = [];
    for (const { id } of this.audiences) {
      const { total, items } = present(await audiences.members(this.workspaceId, id, { offset: 0, limit: 200 }));
      const { contactsCount } = present(await audiences.get(this.workspaceId, id));
      expect([total, contactsCount]).toEqual([items.length, items.length]);
      members.push(items.map(({ contact }) => contact.id));
    }
    const engaged = (await engagement.top(this.workspaceId, ENGAGEMENT)).items.map(({ contact }) => contact.id);
    return { contacts: page.items.map(({ id }) => id), members, engaged };
  }

  /** Checks that nothing of the contact is left and that all totals agree. */
  async expectNothingLeft(): Promise<void> {
    await eventually(async () => expect(await this.subject.places(this.sari.email)).toEqual([]));
    expect(await differences(this.subject)).toEqual([]);
  }
}

async function differences(subject: Subject): Promise<Difference[]> {
  const found: Difference[] = [];
  await runAudit(await subject.audit(), { onDifference: (difference) => found.push(difference), patience: 0 });
  return found;
}

/** ContactStore.delete: what a contact was part of. */
export function deletionCases(open: OpenEngine): void {
  describe('a contact that took part in everything', () => {
    const subject = sharedEngine(open);

    // spec: docs/contract.md#delete-a-contact: DELETE /contacts/{id}: 200 `{deleted: true}`, permanently
    it('leaves audiences, journeys, sales and engagement; counts and pages are those of the others', async () => {
      const life = await Life.begin(subject);
      await life.live();
      const { sari, other, workspaceId } = life;
      const sale = aConversion(workspaceId, { contactId: sari.id, orderId: 'A-1' });
      await subject.stores.conversions.accept(sale);
      const both = [sari.id, other.id].sort((a, b) => a - b);
      const before = await life.lists();
      expect({ ...before, engaged: before.engaged.sort((a, b) => a - b) }).toEqual({
        contacts: both,
        members: [both, both],
        engaged: both,
      });
      expect(await life.remove()).toBe(true);
      expect(await life.lists()).toEqual({
        contacts: [other.id],
        members: [[other.id], [other.id]],
        engaged: [other.id],
      });
      const { conversions, audiences } = subject.stores;
      const left = { ...sale, contactId: null, orderId: null, link: null };
      await eventually(async () => expect(await conversions.get(sale.id)).toEqual(left));
      expect(await conversions.accept({ ...sale, contactId: null })).toBe('duplicate');
      expect(await audiences.leave(workspaceId, at(life.audiences, 0).id, sari.id, LATER)).toBe(false);
      await life.expectNothingLeft();
    });

    // spec: docs/contract.md#delete-a-contact: DELETE /contacts/{id}: does not add to the suppression list; re-sending
    //   recreates it as subscribed
    it('can be enrolled, join and be engaged again as a new contact, with nothing of the old', async () => {
      const life = await Life.begin(subject);
      await life.live();
      await life.remove();
      const { journeyRuns, contacts, audiences, signals } = subject.stores;
      expect(await journeyRuns.enroll(life.enrollment())).toEqual({ kind: 'enrolled' });
      const again = present(await contacts.find(life.workspaceId, life.sari.email));
      expect(again).toMatchObject({ name: null, status: 'subscribed' });
      await audiences.join(life.workspaceId, at(life.audiences, 0).id, { contactId: again.id }, LATER);
      // A mail to the old one is opened once more.
      await signals.store(aSignal(at(life.messages, 0).id, { at: LATER + 1 }), life.workspaceId, []);
      expect(await life.lists()).toEqual({
        contacts: [life.other.id, again.id].sort((a, b) => a - b),
        members: [[life.other.id, again.id].sort((a, b) => a - b), [life.other.id]],
        engaged: [life.other.id],
      });
      expect(await differences(subject)).toEqual([]);
    });

    // spec: docs/contract.md#delete-a-contact: DELETE /contacts/{id}: 200 `{deleted: true}`, permanently
    it('that is deleted while it joins, is enrolled, buys, is written to and opens leaves nothing', async () => {
      const life = await Life.begin(subject);
      const { workspaceId, sari, other } = life;
      const { audiences, journeyRuns, conversions, messages, signals } = subject.stores;
      await addMembers(subject.stores, at(life.audiences, 0), 3);
      const domain = present((await subject.stores.domains.list(workspaceId))[0]);
      const workspace = present(await subject.stores.workspaces.get(workspaceId));
      const sales = Array.from({ length: MANY }, () => aConversion(workspaceId, { contactId: sari.id }));
      const acts = (n: number): Promise<unknown>[] => [
        audiences.join(workspaceId, at(life.audiences, n % 2).id, { contactId: sari.id }, LATER),
        audiences.join(workspaceId, at(life.audiences, n % 2).id, { contactId: other.id }, LATER),
        journeyRuns.enroll(life.enrollment()),
        conversions.accept(at(sales, n)),
        acceptOne(
          messages,
          anAcceptance({ workspace, domain, contact: sari }, { facts: { subject: `Untuk ${sari.email}` } }),
        ),
        signals.store(aSignal(at(life.messages, n % 2).id, { at: LATER + n }), workspaceId, []),
      ];
      await Promise.all(
        Array.from({ length: MANY }, (_, n) => (n === MANY / 2 ? [life.remove(), ...acts(n)] : acts(n))).flat(),
      );
      // An enrollment after the deletion creates a new contact.
      const again = await subject.stores.contacts.find(workspaceId, sari.email);
      if (again) expect([again.id === sari.id, await life.remove(again.id)]).toEqual([false, true]);
      const { contacts, members, engaged } = await life.lists();
      expect(contacts).not.toContain(sari.id);
      expect(members.map((ids) => [ids.length, ids.includes(other.id)])).toEqual([
        [4, true],
        [1, true],
      ]);
      expect(engaged).toEqual([other.id]);
      await eventually(async () => {
        const kept = await Promise.all(sales.map(({ id }) => conversions.get(id)));
        expect(kept.map((sale) => sale?.contactId)).toEqual(Array(MANY).fill(null));
      });
      await life.expectNothingLeft();
    });

    // spec: docs/contract.md#delete-a-contact: DELETE /contacts/{id}: 200 `{deleted: true}`, permanently
    it('several that are deleted at once, by several callers each, are counted down once', async () => {
      const life = await Life.begin(subject);
      const joined = await addMembers(subject.stores, at(life.audiences, 0), 12);
      const gone = joined.slice(0, 9);
      const outcomes = await atOnce(27, (n) => life.remove(at(gone, n % 9).id));
      expect(outcomes.filter(Boolean)).toHaveLength(9);
      const { members } = await life.lists();
      expect(at(members, 0)).toEqual(
        joined
          .slice(9)
          .map(({ id }) => id)
          .sort((a, b) => a - b),
      );
      expect(await differences(subject)).toEqual([]);
    });
  });
}
