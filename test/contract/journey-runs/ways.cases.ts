import { describe, expect, it } from '@jest/globals';
import { fullMinute } from '../../../domain/journeys/enrollment';
import type { Journey } from '../../../domain/journeys/journey';
import { MINUTE } from '../../../lib/clock';
import { aContact, aSuppression } from '../../support/builders';
import { TEST_START } from '../../support/clock';
import { aJourney, anAudience, anEnrollment } from '../../support/marketing';
import { sharedEngine, type OpenEngine } from '../harness';
import { at, atOnce, eventually, present } from '../helpers';
import { aRound, claimSteps, enrollSome, listAll, newJourney, oneOf } from './support';

const LATER = TEST_START + 17;

/** The ways into a journey besides the API, and the ways out. */
export function wayCases(open: OpenEngine): void {
  const subject = sharedEngine(open);
  const joined = (overrides: Parameters<typeof aJourney>[1] = {}) =>
    newJourney(subject, { triggerType: 'audience_join', ...overrides });
  const anAudienceOf = (journey: Journey, overrides: Parameters<typeof anAudience>[1] = {}) =>
    subject.stores.audiences.create(anAudience(journey.workspaceId, overrides));

  describe('a join of an audience', () => {
    const setUp = async (overrides: Parameters<typeof anAudience>[1] = {}) => {
      const base = await newJourney(subject);
      const audience = await anAudienceOf(base, overrides);
      const { workspaceId } = base;
      const fields = { triggerType: 'audience_join', audienceId: audience.id } as const;
      const journey = await subject.stores.journeys.create(aJourney(workspaceId, fields));
      return { workspaceId, audience, journey };
    };

    // spec: docs/contract.md#taking-steps: audience_join, once for ever
    it('enters the active journeys of that audience, once for ever, on the minute, with its record', async () => {
      const { workspaceId, audience, journey } = await setUp();
      const { journeys, audiences } = subject.stores;
      const elsewhere = await anAudienceOf(journey);
      const fields = { triggerType: 'audience_join', audienceId: audience.id } as const;
      const others = await Promise.all([
        journeys.create(aJourney(workspaceId, { ...fields, status: 'paused' })),
        journeys.create(aJourney(workspaceId, { ...fields, audienceId: elsewhere.id })),
        journeys.create(aJourney(workspaceId, { triggerType: 'form_subscribe', audienceId: audience.id })),
        journeys.create(aJourney(workspaceId)),
      ]);
      const contact = aContact(workspaceId);
      await audiences.join(workspaceId, audience.id, { contact }, LATER);
      const entered = await oneOf(subject, journey);
      expect(entered).toMatchObject({
        email: contact.email,
        status: 'active',
        version: 1,
        step: 1,
        since: LATER,
        enrolledAt: LATER,
        dueAt: fullMinute(LATER),
      });
      expect(fullMinute(LATER) % MINUTE).toBe(0);
      const { contactId } = entered;
      await audiences.leave(workspaceId, audience.id, contactId, LATER);
      await audiences.join(workspaceId, audience.id, { contactId }, LATER + MINUTE);
      await subject.crash();
      expect(await listAll(subject, journey)).toEqual([entered]);
      expect(await claimSteps(subject, journey, fullMinute(LATER))).toHaveLength(1);
      for (const other of others) expect(await listAll(subject, other)).toEqual([]);
      await eventually(async () =>
        expect(
          new Set(
            subject
              .records('journeys.enrollments')
              .flatMap(({ value }) => (value.journeyId === journey.id ? [value.enrollmentId] : [])),
          ),
        ).toEqual(new Set([entered.id])),
      );
    });

    // spec: docs/contract.md#taking-steps: audience_join, once for ever
    it('of thirty at once, and of a bulk import, enters each of them once', async () => {
      const { workspaceId, audience, journey } = await setUp();
      const { audiences, bulkContacts } = subject.stores;
      const contacts = Array.from({ length: 30 }, () => aContact(workspaceId));
      await Promise.all([
        ...contacts.map((contact) => audiences.join(workspaceId, audience.id, { contact }, LATER)),
        ...contacts.map((contact) => audiences.join(workspaceId, audience.id, { contact }, LATER)),
      ]);
      const rows = Array.from({ length: 20 }, () => {
        const { email, emailHash, name } = aContact(workspaceId);
        return { email, emailHash, name, status: 'subscribed' as const };
      });
      const batch = { workspaceId, audienceId: audience.id, contacts: rows, at: LATER };
      await bulkContacts.add(batch);
      await bulkContacts.add(batch);
      const entered = await listAll(subject, journey);
      expect(entered.map(({ email }) => email).sort()).toEqual([...contacts, ...rows].map(({ email }) => email).sort());
    });

    // spec: docs/contract.md#taking-steps: not those who may not
    it('of one who is not subscribed, or suppressed, or has to confirm first, enters none', async () => {
      const { workspaceId, audience, journey } = await setUp();
      const { audiences, contacts, suppressions } = subject.stores;
      const gone = await contacts.ensure(aContact(workspaceId));
      await contacts.raiseStatus(workspaceId, gone.id, 'unsubscribed', TEST_START);
      const listed = await contacts.ensure(aContact(workspaceId));
      await suppressions.add(aSuppression({ workspaceId: null, addressHash: listed.emailHash }));
      for (const { id: contactId } of [gone, listed]) {
        await audiences.join(workspaceId, audience.id, { contactId }, LATER);
      }
      expect(await listAll(subject, journey)).toEqual([]);
      const double = await setUp({ optInMode: 'double' });
      const contact = aContact(double.workspaceId);
      await audiences.join(double.workspaceId, double.audience.id, { contact }, LATER);
      expect(await listAll(subject, double.journey)).toEqual([]);
    });
  });

  it('the operator enrolls in a journey of any trigger', async () => {
    const journey = await joined();
    const { journeyRuns } = subject.stores;
    const given = anEnrollment(journey);
    expect(await journeyRuns.enroll(given)).toEqual({ kind: 'refused', reason: 'not_api' });
    expect(await journeyRuns.enroll({ ...given, agreed: { source: 'cli', by: null } })).toEqual({ kind: 'enrolled' });
  });

  describe('leaving', () => {
    // spec: docs/contract.md#leaving-a-journey: at once, with the reason, for good
    it.each(['unsubscribed', 'bounced', 'complained'] as const)(
      'a contact that is %s leaves at once, and stays out when it comes back',
      async (status) => {
        const journey = await newJourney(subject);
        const { contacts } = subject.stores;
        const { workspaceId, contactId, email } = at(await enrollSome(subject, journey), 0);
        await contacts.raiseStatus(workspaceId, contactId, status, LATER);
        await subject.crash();
        const left = { status: 'left', reason: status, dueAt: null, endedAt: LATER };
        expect(await oneOf(subject, journey)).toMatchObject(left);
        expect(await claimSteps(subject, journey, LATER + MINUTE)).toEqual([]);
        await subject.stores.contacts.resubscribe(workspaceId, contactId, LATER + 1, 'siti');
        const again = anEnrollment(journey, aContact(workspaceId, { email: present(email) }));
        expect(await subject.stores.journeyRuns.enroll(again)).toEqual({ kind: 'entered_before' });
        expect(await oneOf(subject, journey)).toMatchObject(left);
      },
    );

    // spec: docs/contract.md#leaving-a-journey: deleted
    it('a deleted contact leaves, and its steps stay without its address', async () => {
      const journey = await newJourney(subject);
      const { workspaceId, contactId } = at(await enrollSome(subject, journey), 0);
      const task = present((await claimSteps(subject, journey))[0]);
      await subject.stores.journeyRuns.advance([aRound(task)]);
      await subject.stores.contacts.delete(workspaceId, contactId);
      const row = await oneOf(subject, journey);
      expect(row).toMatchObject({ email: null, contactId, status: 'left', reason: 'deleted', dueAt: null });
      expect(row.steps).toHaveLength(1);
      expect(await claimSteps(subject, journey, LATER + 60 * MINUTE)).toEqual([]);
    });

    // spec: docs/contract.md#leaving-a-journey: removed
    it('one journey only when it is named, and only once', async () => {
      const journey = await newJourney(subject);
      const { workspaceId, contactId, email } = at(await enrollSome(subject, journey), 0);
      const other = await subject.stores.journeys.create(aJourney(workspaceId));
      const { journeyRuns } = subject.stores;
      await journeyRuns.enroll(anEnrollment(other, aContact(workspaceId, { email: present(email) })));
      const remove = () => journeyRuns.leave({ workspaceId, contactId, journeyId: journey.id }, 'removed', LATER);
      expect(await atOnce(5, remove)).toEqual(expect.arrayContaining([1, 0, 0, 0, 0]));
      expect(await oneOf(subject, journey)).toMatchObject({ status: 'left', reason: 'removed' });
      expect(await oneOf(subject, other)).toMatchObject({ status: 'active' });
      expect(await journeyRuns.leave({ workspaceId, contactId }, 'suppressed', LATER)).toBe(1);
      expect(await oneOf(subject, other)).toMatchObject({ status: 'left', reason: 'suppressed' });
    });
  });

  describe('reachGoal', () => {
    it('is set by the event that the goal asks for, the first time only, also behind the last step', async () => {
      const journey = await newJourney(subject, { goal: { event: 'open', ends: false } });
      const { workspaceId, contactId } = at(await enrollSome(subject, journey), 0);
      const { journeyRuns } = subject.stores;
      const hit = { workspaceId, journeyId: journey.id, contactId, at: LATER, now: LATER };
      expect(await journeyRuns.reachGoal({ ...hit, event: 'conversion' })).toBe(false);
      const task = present((await claimSteps(subject, journey))[0]);
      await journeyRuns.advance([aRound(task, { end: { kind: 'completed', at: LATER } })]);
      expect(await journeyRuns.reachGoal({ ...hit, event: 'click' })).toBe(true);
      expect(await journeyRuns.reachGoal({ ...hit, event: 'open', at: LATER + 1 })).toBe(false);
      await subject.crash();
      expect(await oneOf(subject, journey)).toMatchObject({ goalAt: LATER, status: 'completed', reason: null });
    });

    // spec: docs/contract.md#leaving-a-journey: goal
    it('ends the enrollment when the goal says so, and an enrollment that left reaches none', async () => {
      const journey = await newJourney(subject, { goal: { event: 'click', ends: true } });
      const [first, second] = await enrollSome(subject, journey, 2);
      const { journeyRuns } = subject.stores;
      const { workspaceId } = journey;
      const hit = { workspaceId, journeyId: journey.id, event: 'click', at: LATER - 1, now: LATER } as const;
      expect(await journeyRuns.reachGoal({ ...hit, contactId: present(first).contactId })).toBe(true);
      await journeyRuns.leave({ workspaceId, contactId: present(second).contactId }, 'removed', LATER);
      expect(await journeyRuns.reachGoal({ ...hit, contactId: present(second).contactId })).toBe(false);
      expect(
        (await listAll(subject, journey)).map(({ status, reason, goalAt, endedAt }) => [
          status,
          reason,
          goalAt,
          endedAt,
        ]),
      ).toEqual([
        ['left', 'goal', LATER - 1, LATER],
        ['left', 'removed', null, LATER],
      ]);
      expect(await claimSteps(subject, journey, LATER + MINUTE)).toEqual([]);
    });
  });

  it('reachGoal without a journey takes all that the contact entered up to then', async () => {
    const journey = await newJourney(subject, { goal: { event: 'conversion', ends: true } });
    const { workspaceId, contactId, email } = at(await enrollSome(subject, journey), 0);
    const { journeyRuns, journeys } = subject.stores;
    const goal = { event: 'conversion', ends: false } as const;
    const [before, after] = [
      await journeys.create(aJourney(workspaceId, { goal })),
      await journeys.create(aJourney(workspaceId, { goal })),
    ];
    const given = aContact(workspaceId, { email: present(email) });
    await journeyRuns.enroll({ ...anEnrollment(before, given), at: LATER });
    await journeyRuns.enroll({ ...anEnrollment(after, given), at: LATER + 1 });
    const hit = { workspaceId, journeyId: null, contactId, event: 'conversion', at: LATER, now: LATER + 5 } as const;
    expect(await journeyRuns.reachGoal({ ...hit, workspaceId: 999_999 })).toBe(false);
    expect(await atOnce(3, () => journeyRuns.reachGoal(hit))).toEqual(expect.arrayContaining([true, false, false]));
    expect(await oneOf(subject, journey)).toMatchObject({ status: 'left', goalAt: LATER, endedAt: LATER + 5 });
    expect(await oneOf(subject, before)).toMatchObject({ status: 'active', goalAt: LATER });
    expect(await oneOf(subject, after)).toMatchObject({ goalAt: null });
  });

  it('list shows pages in the order of contacts, and none of another workspace', async () => {
    const journey = await newJourney(subject);
    const all = await enrollSome(subject, journey, 3);
    const { journeyRuns } = subject.stores;
    const ref = { workspaceId: journey.workspaceId, id: journey.id };
    expect(await journeyRuns.list(ref, 0, 2)).toEqual(all.slice(0, 2));
    expect(await journeyRuns.list(ref, at(all, 1).contactId, 2)).toEqual(all.slice(2));
    expect(await journeyRuns.list({ ...ref, workspaceId: 999_999 }, 0, 2)).toEqual([]);
    const { email: _email, steps: _steps, ...enrollment } = at(all, 1);
    expect(await journeyRuns.ofContact(ref.workspaceId, enrollment.contactId)).toEqual([enrollment]);
    expect(await journeyRuns.ofContact(999_999, enrollment.contactId)).toEqual([]);
  });
}
