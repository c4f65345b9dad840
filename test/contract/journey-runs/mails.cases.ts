import { describe, expect, it } from '@jest/globals';
import type { Acceptance } from '../../../stores/ports/message-store';
import type { StepRun } from '../../../stores/ports/journey-runs';
import { anAcceptance, createSender, messageId, type Sender } from '../../support/builders';
import { TEST_START } from '../../support/clock';
import { aJourney, anEnrollment } from '../../support/marketing';
import { sharedEngine, type OpenEngine } from '../harness';
import { at, atOnce, inTurn, present } from '../helpers';
import { aRound, claimSteps, MAIL, oneOf, WAIT } from './support';

/** Mails of journeys: each is accepted in one commit with the round that did it. */
export function mailCases(open: OpenEngine): void {
  const subject = sharedEngine(open);

  const setUp = async (options: { coins?: number } = {}) => {
    const sender = await createSender(subject.stores, options);
    const { workspace, contact } = sender;
    const journey = await subject.stores.journeys.create(aJourney(workspace.id, { steps: [MAIL, WAIT, MAIL] }));
    const { email, emailHash } = contact;
    const newContact = { workspaceId: workspace.id, email, emailHash, name: null, at: TEST_START };
    await subject.stores.journeyRuns.enroll(anEnrollment(journey, newContact));
    const task = present((await claimSteps(subject, journey))[0]);
    const leave = () =>
      subject.stores.journeyRuns.leave({ workspaceId: workspace.id, contactId: contact.id }, 'removed', TEST_START - 9);
    return { sender, journey, task, leave };
  };

  const stepOf = (id: string) =>
    ({ step: 1, type: 'email', at: TEST_START, outcome: 'done', reason: null, messageId: id }) as const;

  const aMail = (sender: Sender, journeyId: number, round: Omit<StepRun, 'steps'>): Acceptance => {
    const { contact } = sender;
    const id = messageId();
    const facts = { id, to: contact.email, toText: contact.email, journeyId, journeyVersion: 1, journeyStep: 1 };
    return {
      ...anAcceptance(sender, { facts: { ...facts, lane: 'journey' } }),
      recipient: {
        checked: { id: contact.id, emailHash: contact.emailHash, round: { ...round, steps: [stepOf(id)] } },
      },
      body: null,
    };
  };

  const late = { kind: 'refused', reason: 'stale_step' };

  describe('a mail of a journey', () => {
    it('is accepted together with its step, and the place of the enrollment', async () => {
      const { sender, journey, task } = await setUp();
      const mail = aMail(sender, journey.id, aRound(task));
      expect(await subject.stores.messages.accept([mail])).toEqual([{ kind: 'accepted' }]);
      await subject.crash();
      expect(await oneOf(subject, journey)).toMatchObject({
        status: 'active',
        step: 2,
        dueAt: TEST_START + 3_600_000,
        steps: [stepOf(mail.facts.id)],
      });
    });

    it('keeps the claim while the round goes on, and ends the enrollment behind the last step', async () => {
      const { sender, journey, task } = await setUp();
      const goesOn = aRound(task, { end: { kind: 'goes_on', step: 3, since: TEST_START } });
      const { messages } = subject.stores;
      expect(await messages.accept([aMail(sender, journey.id, goesOn)])).toEqual([{ kind: 'accepted' }]);
      expect(await oneOf(subject, journey)).toMatchObject({ status: 'active', step: 3, dueAt: TEST_START });
      const id = messageId();
      const rest = aRound(task, {
        from: 3,
        steps: [{ ...stepOf(id), step: 3, outcome: 'refused', reason: 'no', messageId: null }],
        end: { kind: 'completed', at: TEST_START },
      });
      expect(await subject.stores.journeyRuns.advance([rest])).toEqual([true]);
      expect(await oneOf(subject, journey)).toMatchObject({ status: 'completed', step: 3, dueAt: null });
      expect(await claimSteps(subject, journey, TEST_START + 9_000_000)).toEqual([]);
    });

    it('is refused when its contact left the journey, or another process took the step, and stops no other', async () => {
      const first = await setUp();
      const second = await setUp();
      const third = await setUp();
      const again = present((await claimSteps(subject, second.journey, TEST_START + 2_000))[0]);
      await first.leave();
      const [gone, stale, good] = [first, second, third].map(({ sender, journey, task }) =>
        aMail(sender, journey.id, aRound(task)),
      );
      const moved = aMail(second.sender, second.journey.id, aRound(again, { from: 2 }));
      const { messages } = subject.stores;
      const mails = [present(gone), present(stale), moved, present(good)];
      expect(await messages.accept(mails)).toEqual([late, late, late, { kind: 'accepted' }]);
      for (const { facts } of mails.slice(0, 3)) expect(await messages.get(facts.id)).toBeNull();
      expect(await oneOf(subject, first.journey)).toMatchObject({ status: 'left', steps: [] });
      expect(await oneOf(subject, second.journey)).toMatchObject({ status: 'active', step: 1, steps: [] });
    });

    it('that is refused for its recipient leaves the enrollment where it is', async () => {
      const { sender, journey, task } = await setUp({ coins: 0 });
      const mail = aMail(sender, journey.id, aRound(task));
      expect(await subject.stores.messages.accept([mail])).toEqual([{ kind: 'refused', reason: 'no_coins' }]);
      expect(await oneOf(subject, journey)).toMatchObject({ status: 'active', step: 1, steps: [] });
    });

    // spec: docs/contract.md#leaving-a-journey: no mail is made for one that left
    it('and a contact that leaves at the same moment: the mail is there exactly if its step is', async () => {
      const ground = await inTurn(8, () => setUp());
      const mails = ground.map(({ sender, journey, task }) => aMail(sender, journey.id, aRound(task)));
      const outcomes = await atOnce(16, async (n) => {
        const { leave } = at(ground, n >> 1);
        return n % 2 === 0 ? leave() : (await subject.stores.messages.accept([at(mails, n >> 1)]))[0]?.kind;
      });
      for (const [n, { journey }] of ground.entries()) {
        const { status, steps, endedAt } = await oneOf(subject, journey);
        const message = await subject.stores.messages.get(at(mails, n).facts.id);
        expect(status).toBe('left');
        expect(steps.map(({ messageId: id }) => id)).toEqual(message ? [message.id] : []);
        expect(outcomes[n * 2 + 1]).toBe(message ? 'accepted' : 'refused');
        expect(endedAt).toBe(TEST_START);
      }
    });
  });

  // spec: docs/contract.md#leaving-a-journey: no step after the end
  it('who leaves for something that is known late leaves behind the last step', async () => {
    const { sender, journey, task } = await setUp();
    const mail = aMail(sender, journey.id, aRound(task));
    const step = { ...stepOf(mail.facts.id), at: TEST_START + 70_000 };
    await subject.stores.journeyRuns.advance([aRound(task, { steps: [step] })]);
    await subject.stores.contacts.raiseStatus(sender.workspace.id, sender.contact.id, 'bounced', TEST_START + 5);
    expect(await oneOf(subject, journey)).toMatchObject({
      status: 'left',
      reason: 'bounced',
      endedAt: TEST_START + 70_000,
    });
  });
}
