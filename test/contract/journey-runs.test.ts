import { describe, expect, it } from '@jest/globals';
import type { Journey } from '../../domain/journeys/journey';
import { aContact, aSuppression, aWorkspace } from '../support/builders';
import { TEST_START } from '../support/clock';
import { aJourney, anEnrollment } from '../support/marketing';
import { onEveryDriver } from './drivers';
import { sharedEngine, type OpenEngine, type Subject } from './harness';
import { countCases } from './journey-runs/counts.cases';
import { mailCases } from './journey-runs/mails.cases';
import { roundCases } from './journey-runs/step-runs.cases';
import { wakeCases } from './journey-runs/wake.cases';
import { wayCases } from './journey-runs/ways.cases';
import { at, atOnce, eventually, present } from './helpers';

const UNKNOWN = 999_999_999;
const newWorkspace = async ({ stores }: Subject): Promise<number> => (await stores.workspaces.create(aWorkspace())).id;
const newJourney = async (subject: Subject, overrides = {}): Promise<Journey> =>
  subject.stores.journeys.create(aJourney(await newWorkspace(subject), overrides));
/** The distinct records of a journey; they may arrive twice. */
const recordsOf = (subject: Subject, journeyId: number) => {
  const records = subject.records('journeys.enrollments').filter(({ value }) => value.journeyId === journeyId);
  return [...new Map(records.map(({ key, value }) => [value.enrollmentId, { key, value }])).values()];
};

function describeEnroll(open: OpenEngine): void {
  describe('enroll', () => {
    const subject = sharedEngine(open);

    it('makes the contact where there is none, enrolls it once for ever, and records it once', async () => {
      const journey = await newJourney(subject);
      const given = aContact(journey.workspaceId, { name: 'Sari' });
      const first = anEnrollment(journey, given);
      const { journeyRuns, contacts } = subject.stores;
      expect(await journeyRuns.enroll(first)).toEqual({ kind: 'enrolled' });
      const contact = present(await contacts.find(journey.workspaceId, given.email));
      expect(contact).toMatchObject({ name: 'Sari', status: 'subscribed' });
      await subject.crash();
      expect(await subject.stores.journeyRuns.enroll(anEnrollment(journey, given))).toEqual({ kind: 'entered_before' });
      const value = {
        enrollmentId: first.id,
        workspaceId: journey.workspaceId,
        journeyId: journey.id,
        contactId: contact.id,
      };
      await eventually(async () =>
        expect(recordsOf(subject, journey.id)).toEqual([{ key: String(contact.id), value }]),
      );
    });

    it.each([
      { source: 'api', by: null },
      { source: 'cli', by: 'siti' },
    ] as const)('notes the consent of a contact that it makes, by $source', async (agreed) => {
      const journey = await newJourney(subject);
      const { workspaceId } = journey;
      const enrollment = { ...anEnrollment(journey), agreed };
      const { journeyRuns, contacts, optIns } = subject.stores;
      await journeyRuns.enroll(enrollment);
      await journeyRuns.enroll({ ...anEnrollment(journey, enrollment.contact), agreed });
      const { id } = present(await contacts.find(workspaceId, enrollment.contact.email));
      expect(await optIns.consents(workspaceId, id)).toEqual([
        { at: TEST_START, source: agreed.source, audienceId: null, ...(agreed.by && { by: agreed.by }) },
      ]);
      const known = await contacts.ensure(aContact(workspaceId));
      await journeyRuns.enroll({ ...anEnrollment(journey, aContact(workspaceId, { email: known.email })), agreed });
      expect(await optIns.consents(workspaceId, known.id)).toEqual([]);
    });

    it('leaves a contact that is there as it is, and lets it enter another journey', async () => {
      const journey = await newJourney(subject);
      const other = await subject.stores.journeys.create(aJourney(journey.workspaceId));
      const contact = await subject.stores.contacts.ensure(aContact(journey.workspaceId, { name: 'Sari' }));
      const given = aContact(journey.workspaceId, { email: contact.email, name: 'Orang lain' });
      for (const each of [journey, other]) {
        expect(await subject.stores.journeyRuns.enroll(anEnrollment(each, given))).toEqual({ kind: 'enrolled' });
      }
      expect(await subject.stores.contacts.get(contact.workspaceId, contact.id)).toEqual(contact);
    });

    // spec: docs/contract.md#enroll-a-contact: 200 when the contact already entered, never repeated
    it('of 100 callers with one address at once enrolls one, as one contact', async () => {
      const journey = await newJourney(subject);
      const given = aContact(journey.workspaceId);
      const enrollments = Array.from({ length: 100 }, () => anEnrollment(journey, given));
      const outcomes = await Promise.all(enrollments.map((one) => subject.stores.journeyRuns.enroll(one)));
      const winners = enrollments.filter((_, index) => at(outcomes, index).kind === 'enrolled');
      expect(winners).toHaveLength(1);
      expect(outcomes.filter(({ kind }) => kind === 'entered_before')).toHaveLength(99);
      await eventually(async () => {
        const ids = recordsOf(subject, journey.id).map(({ value }) => value.enrollmentId);
        expect(ids).toEqual(winners.map(({ id }) => id));
      });
    });

    it('counts who entered by what they are now, in their workspace only', async () => {
      const journey = await newJourney(subject);
      const { journeyRuns, contacts } = subject.stores;
      const { id, workspaceId } = journey;
      expect(await journeyRuns.count(journey)).toEqual({ active: 0, completed: 0, left: 0 });
      const given = aContact(workspaceId);
      for (const contact of [given, aContact(workspaceId), aContact(workspaceId)]) {
        await journeyRuns.enroll(anEnrollment(journey, contact));
      }
      const { id: contactId } = present(await contacts.find(workspaceId, given.email));
      await journeyRuns.leave({ workspaceId, contactId, journeyId: id }, 'removed', TEST_START);
      expect(await journeyRuns.count(journey)).toEqual({ active: 2, completed: 0, left: 1 });
      expect(await journeyRuns.count({ id, workspaceId: workspaceId + 1 })).toEqual({
        active: 0,
        completed: 0,
        left: 0,
      });
    });

    it('30 addresses at once are all enrolled', async () => {
      const journey = await newJourney(subject);
      const outcomes = await atOnce(30, () => subject.stores.journeyRuns.enroll(anEnrollment(journey)));
      expect(outcomes).toEqual(Array(30).fill({ kind: 'enrolled' }));
      await eventually(async () => expect(recordsOf(subject, journey.id)).toHaveLength(30));
    });
  });
}

function describeRefusals(open: OpenEngine): void {
  describe('enroll refuses, in this order, and makes no contact:', () => {
    const subject = sharedEngine(open);
    /** An address and a journey with several reasons for refusal. */
    const enroll = async (journey: Journey, email: string) => {
      const given = aContact(journey.workspaceId, { email });
      return subject.stores.journeyRuns.enroll(anEnrollment(journey, given));
    };

    // spec: docs/contract.md#order-of-enrollment-checks: enroll order: 404, fields, not API, not active, suppressed,
    //   unsubscribed
    it('an unknown journey, one that is not for the API, one that is not active', async () => {
      const journey = await newJourney(subject, { triggerType: 'form_subscribe', status: 'draft' });
      const api = await newJourney(subject, { status: 'paused' });
      const ours = await newWorkspace(subject);
      const refused = (reason: string) => ({ kind: 'refused', reason });
      expect(await enroll({ ...journey, id: UNKNOWN }, 'a@contoh.test')).toEqual(refused('no_journey'));
      expect(await enroll({ ...journey, workspaceId: ours }, 'a@contoh.test')).toEqual(refused('no_journey'));
      expect(await enroll(journey, 'a@contoh.test')).toEqual(refused('not_api'));
      expect(await enroll(api, 'a@contoh.test')).toEqual(refused('not_active'));
      for (const { workspaceId } of [journey, api, { workspaceId: ours }]) {
        expect(await subject.stores.contacts.find(workspaceId, 'a@contoh.test')).toBeNull();
      }
      expect([...recordsOf(subject, journey.id), ...recordsOf(subject, api.id)]).toEqual([]);
    });

    it.each(['workspace', 'global'] as const)('an address on the %s suppression list', async (list) => {
      const journey = await newJourney(subject);
      const given = aContact(journey.workspaceId);
      const workspaceId = list === 'global' ? null : journey.workspaceId;
      await subject.stores.suppressions.add(aSuppression({ workspaceId, addressHash: given.emailHash }));
      expect(await enroll(journey, given.email)).toEqual({ kind: 'refused', reason: 'suppressed' });
      expect(await subject.stores.contacts.find(journey.workspaceId, given.email)).toBeNull();
    });

    it.each(['unsubscribed', 'bounced', 'complained'] as const)('a contact that is %s', async (status) => {
      const journey = await newJourney(subject);
      const { workspaceId, id, email } = await subject.stores.contacts.ensure(aContact(journey.workspaceId));
      await subject.stores.contacts.raiseStatus(workspaceId, id, status, TEST_START);
      expect(await enroll(journey, email)).toEqual({ kind: 'refused', reason: 'unsubscribed' });
    });

    it('a contact that entered before, once it has unsubscribed', async () => {
      const journey = await newJourney(subject);
      const { workspaceId, id, email } = await subject.stores.contacts.ensure(aContact(journey.workspaceId));
      expect(await enroll(journey, email)).toEqual({ kind: 'enrolled' });
      await subject.stores.contacts.raiseStatus(workspaceId, id, 'unsubscribed', TEST_START);
      expect(await enroll(journey, email)).toEqual({ kind: 'refused', reason: 'unsubscribed' });
    });
  });
}

/** The JourneyRuns behaviour required of every driver. */
function describeJourneyRuns(open: OpenEngine): void {
  describe('JourneyRuns', () => {
    describeEnroll(open);
    describeRefusals(open);
    roundCases(open);
    wayCases(open);
    mailCases(open);
    wakeCases(open);
    countCases(open);
  });
}

onEveryDriver(describeJourneyRuns);
