import { describe, expect, it } from '@jest/globals';
import { RESUME_WORK, STEP_WORK, POST_WORK } from '../../../domain/journeys/enrollment';
import { MINUTE } from '../../../lib/clock';
import { acceptMessage, aSignal, aSuppression, createSender } from '../../support/builders';
import { TEST_START } from '../../support/clock';
import { aJourney } from '../../support/marketing';
import { sharedEngine, type OpenEngine } from '../harness';
import { at, atOnce, present } from '../helpers';
import { aRound, claimSteps, enrollSome, listAll, MAIL, newJourney, oneOf, openOne, refOf, WAIT } from './support';

const HOUR = 60 * MINUTE;

/** The steps of an enrollment: what they are decided on, and how they are written. */
export function roundCases(open: OpenEngine): void {
  const subject = sharedEngine(open);
  const nextTask = async (journeyId: number): Promise<number | null> => {
    const lane = `journey:${journeyId}`;
    const lanes = await subject.stores.dueTasks.lanesDue(STEP_WORK, Number.MAX_SAFE_INTEGER - 1, null, 1_000);
    return lanes.includes(lane) ? 1 : null;
  };

  describe('open', () => {
    it('reads the enrollment, the version it began, and the contact as it stands', async () => {
      const goal = { event: 'click', ends: true } as const;
      const journey = await newJourney(subject, { goal });
      const [first, second] = await enrollSome(subject, journey, 2);
      const { contacts, suppressions } = subject.stores;
      const contact = present(await contacts.get(journey.workspaceId, present(second).contactId));
      await suppressions.add(aSuppression({ workspaceId: journey.workspaceId, addressHash: contact.emailHash }));
      const { email: _email, steps: _steps, ...enrollment } = present(first);
      expect(await openOne(subject, enrollment)).toMatchObject({
        enrollment: { ...enrollment, status: 'active', step: 1, version: 1, dueAt: TEST_START, since: TEST_START },
        journey: { name: journey.name, status: 'active' },
        version: { steps: journey.steps, goal },
        contact: { id: enrollment.contactId, status: 'subscribed' },
        suppressed: false,
        opened: [],
        clicked: [],
      });
      expect(await openOne(subject, present(second))).toMatchObject({ contact, suppressed: true });
    });

    // spec: docs/contract.md#taking-steps: branch by the goal, an open or a click
    it('tells the steps whose mail a person opened or clicked, when a branch asks', async () => {
      const sender = await createSender(subject.stores);
      const branch = { kind: 'branch', on: { kind: 'opened', step: 1 }, then: [MAIL], else: [] } as const;
      const steps = [MAIL, WAIT, { ...branch, then: [MAIL], else: [] }];
      const journey = await subject.stores.journeys.create(aJourney(sender.workspace.id, { steps }));
      await enrollSome(subject, journey);
      const message = await acceptMessage(subject.stores, sender);
      const task = present((await claimSteps(subject, journey))[0]);
      const done = { step: 1, type: 'email', at: TEST_START, outcome: 'done', reason: null, messageId: message.id };
      expect(
        await subject.stores.journeyRuns.advance([
          aRound(task, { steps: [{ ...done, type: 'email', outcome: 'done' }] }),
        ]),
      ).toEqual([true]);
      const enrollment = await oneOf(subject, journey);
      expect(await openOne(subject, enrollment)).toMatchObject({ opened: [], clicked: [] });
      const machine = aSignal(message.id, { kind: 'open', machine: 'agent' });
      await subject.stores.signals.store(machine, sender.workspace.id, []);
      expect(await openOne(subject, enrollment)).toMatchObject({ opened: [], clicked: [] });
      await subject.stores.signals.store(aSignal(message.id, { kind: 'click', link: 0 }), sender.workspace.id, []);
      expect(await openOne(subject, enrollment)).toMatchObject({ clicked: [1] });
    });

    it('leaves out those that ended and unknown ones, and has no contact once it was deleted', async () => {
      const journey = await newJourney(subject);
      const { workspaceId, contactId, id } = present((await enrollSome(subject, journey))[0]);
      await subject.stores.contacts.delete(workspaceId, contactId);
      expect(await subject.stores.journeyRuns.open([id, 'unknown'])).toEqual([]);
    });
  });

  describe('advance', () => {
    it('writes the steps, where the enrollment stands and its due task, through a crash', async () => {
      const journey = await newJourney(subject);
      const [enrollment] = await enrollSome(subject, journey);
      const task = present((await claimSteps(subject, journey))[0]);
      const round = aRound(task);
      expect(await subject.stores.journeyRuns.advance([round])).toEqual([true]);
      await subject.crash();
      const { steps, ...rest } = await oneOf(subject, journey);
      expect(steps).toEqual(round.steps);
      const { steps: _none, ...before } = present(enrollment);
      expect(rest).toEqual({ ...before, step: 2, since: TEST_START, dueAt: TEST_START + HOUR });
      expect(await claimSteps(subject, journey, TEST_START + HOUR - 1)).toEqual([]);
      const [again] = await claimSteps(subject, journey, TEST_START + HOUR);
      expect(again).toMatchObject({ id: present(enrollment).id, attempt: 1 });
    });

    it('ends an enrollment, completed or left, and nothing of it is due any more', async () => {
      const journey = await newJourney(subject);
      await enrollSome(subject, journey, 2);
      const [first, second] = await claimSteps(subject, journey);
      const { journeyRuns } = subject.stores;
      const ends = [
        aRound(present(first), { end: { kind: 'completed', at: TEST_START + 5 } }),
        aRound(present(second), { steps: [], end: { kind: 'left', reason: 'suppressed', at: TEST_START + 6 } }),
      ];
      expect(await journeyRuns.advance(ends)).toEqual([true, true]);
      const found = new Map((await listAll(subject, journey)).map((one) => [one.id, one]));
      expect(found.get(present(first).id)).toMatchObject({
        status: 'completed',
        reason: null,
        step: 1,
        dueAt: null,
        endedAt: TEST_START + 5,
      });
      expect(found.get(present(second).id)).toMatchObject({ status: 'left', reason: 'suppressed', dueAt: null });
      expect(await nextTask(journey.id)).toBeNull();
      expect(await journeyRuns.advance(ends)).toEqual([false, false]);
    });

    it('writes nothing for a round that came too late, and all others of its list', async () => {
      const journey = await newJourney(subject);
      const enrolled = await enrollSome(subject, journey, 3);
      const tasks = await claimSteps(subject, journey);
      const { journeyRuns } = subject.stores;
      // The lease of the first claim is over, and another one has it.
      const later = await claimSteps(subject, journey, TEST_START + 2_000);
      const [a, b, c] = later;
      const late = present(tasks.find(({ id }) => id === present(a).id));
      await journeyRuns.leave({ workspaceId: journey.workspaceId, contactId: at(enrolled, 1).contactId }, 'removed', 9);
      const left = present(later.find(({ id }) => id === at(enrolled, 1).id));
      const good = present([b, c].find((task) => task !== left && task?.id !== late.id));
      const moved = aRound(good, { from: 2 });
      expect(await journeyRuns.advance([aRound(late), aRound(left), moved, aRound(good)])).toEqual([
        false,
        false,
        false,
        true,
      ]);
      const steps = (await listAll(subject, journey)).map((one) => [one.id, one.steps.length]);
      expect(new Map(steps as [string, number][]).get(good.id)).toBe(1);
      expect(steps.filter(([, count]) => count === 1)).toHaveLength(1);
    });

    it('schedules the work of the steps in the same commit', async () => {
      const journey = await newJourney(subject);
      await enrollSome(subject, journey);
      const task = present((await claimSteps(subject, journey))[0]);
      const { workspaceId } = journey;
      const post = { kind: POST_WORK, id: `${task.id}:1`, workspaceId, lane: '', dueAt: 7, payload: {} } as const;
      const { journeyRuns, dueTasks } = subject.stores;
      expect(await journeyRuns.advance([aRound(task, { tasks: [post] })])).toEqual([true]);
      expect(await journeyRuns.advance([aRound(task, { tasks: [{ ...post, id: 'late' }] })])).toEqual([false]);
      const claim = { kind: post.kind, now: 7, leaseUntil: 8, limit: 9 };
      expect((await dueTasks.claim(claim)).map(({ id }) => id)).toEqual([post.id]);
    });

    it('of ten repeats at once is written once', async () => {
      const journey = await newJourney(subject);
      await enrollSome(subject, journey);
      const task = present((await claimSteps(subject, journey))[0]);
      const written = await atOnce(10, () => subject.stores.journeyRuns.advance([aRound(task)]));
      expect(written.flat().filter(Boolean)).toHaveLength(1);
      expect((await oneOf(subject, journey)).steps).toHaveLength(1);
    });
  });

  describe('a pause', () => {
    it('parks steps, which go on from their place once the journey is active', async () => {
      const journey = await newJourney(subject);
      await enrollSome(subject, journey, 3);
      const { journeys, journeyRuns, dueTasks } = subject.stores;
      const [parked, , early] = await claimSteps(subject, journey);
      const park = (task: typeof parked) => aRound(present(task), { steps: [], end: { kind: 'parked' } });
      expect(await journeyRuns.advance([park(early)])).toEqual([false]);
      await journeys.setStatus(journey.workspaceId, journey.id, 'paused', TEST_START);
      expect(await journeyRuns.advance([park(parked)])).toEqual([true]);
      expect(await journeyRuns.resume(refOf(journey), 0, 2)).toBeNull();
      await journeys.setStatus(journey.workspaceId, journey.id, 'active', TEST_START + 1);
      expect(
        await dueTasks.claim({ kind: RESUME_WORK, now: TEST_START + 1, leaseUntil: TEST_START + 2, limit: 99 }),
      ).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ id: String(journey.id), payload: { after: 0, again: true } }),
        ]),
      );
      const all = await listAll(subject, journey);
      const last = await journeyRuns.resume(refOf(journey), 0, 2);
      expect(last).toBe(at(all, 1).contactId);
      expect(await journeyRuns.resume(refOf(journey), present(last), 2)).toBe(at(all, 2).contactId);
      expect(await journeyRuns.resume(refOf(journey), at(all, 2).contactId, 2)).toBeNull();
      expect(await claimSteps(subject, journey, TEST_START + 5_000)).toHaveLength(3);
      expect(all.map(({ step, dueAt }) => [step, dueAt])).toEqual(Array(3).fill([1, TEST_START]));
    });
  });
}
