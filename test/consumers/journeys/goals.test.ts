import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createJourneysConsumer } from '../../../consumers/journeys';
import { goalWork } from '../../../consumers/journeys/goals';
import { stepWork } from '../../../consumers/journeys/step-work';
import { GOAL_WAIT, GOAL_WORK, STEP_WORK } from '../../../domain/journeys/enrollment';
import type { Journey, JourneyGoal } from '../../../domain/journeys/journey';
import type { Signal } from '../../../domain/engagement/signal';
import { MINUTE } from '../../../lib/clock';
import { openTemporary } from '../../contract/embedded/open';
import { Subject } from '../../contract/harness';
import { oneOf } from '../../contract/journey-runs/support';
import { acceptMessage, aContact, aSignal, createSender, messageId, TEST_KEYRING } from '../../support/builders';
import { runDue } from '../../support/due-work';
import { aConversion, aJourney, anEnrollment } from '../../support/marketing';

const subject = new Subject(openTemporary);
beforeAll(() => subject.open());
afterAll(() => subject.destroy());

/** A journey whose first mail was accepted for one contact. */
async function mailed(goal: JourneyGoal | null): Promise<{ journey: Journey; mail: string; workspaceId: number }> {
  const { stores, clock, log } = subject;
  const sender = await createSender(stores);
  const workspaceId = sender.workspace.id;
  const mail = { kind: 'email', domainId: sender.domain.id, subject: 'Halo', html: '<p>Halo</p>', text: null } as const;
  const steps = [mail, { kind: 'wait', ms: MINUTE } as const, mail];
  const journey = await stores.journeys.create(aJourney(workspaceId, { steps, goal }));
  await stores.journeyRuns.enroll({ ...anEnrollment(journey, aContact(workspaceId)), at: clock.now() });
  clock.advance(MINUTE);
  const accept = { stores, log, keyring: TEST_KEYRING, clock, newId: () => messageId() };
  await runDue(subject, STEP_WORK, stepWork({ stores, clock, accept }));
  const [step] = (await oneOf(subject, journey)).steps;
  return { journey, mail: step?.messageId ?? '', workspaceId };
}

const group = () =>
  createJourneysConsumer({ stores: subject.stores, clock: subject.clock, wakeSteps: () => undefined });

/** Stores a signal, and hands its event to the group. */
async function hit(
  { mail, workspaceId }: { mail: string; workspaceId: number },
  kind: Signal['kind'],
  machine: Signal['machine'] = null,
): Promise<string> {
  const { stores } = subject;
  const occurredAt = subject.clock.now();
  const signal = aSignal(mail, { kind, at: occurredAt, link: kind === 'click' ? 0 : null, machine });
  await stores.signals.store(signal, workspaceId, []);
  const value = { workspaceId, messageId: mail, event: kind, occurredAt, key: signal.id };
  const record = { topic: 'message.events' as const, key: mail, value, partition: 0, offset: '0', at: occurredAt };
  const handled = await group().handle(record as never);
  return handled.kind;
}

/** What falls due some seconds later. */
async function settle(): Promise<void> {
  subject.clock.advance(GOAL_WAIT);
  await runDue(subject, GOAL_WORK, goalWork(subject));
}

describe('opens and clicks of a mail of a journey', () => {
  // spec: docs/contract.md#goals-of-a-journey: opens and clicks
  test('reach its goal some seconds later, once, with their time, and end it if it says so', async () => {
    const scene = await mailed({ event: 'click', ends: true });
    await hit(scene, 'open');
    await settle();
    expect(await oneOf(subject, scene.journey)).toMatchObject({ status: 'active', goalAt: null });
    const clickedAt = subject.clock.now();
    expect(await hit(scene, 'click')).toBe('ok');
    expect(await oneOf(subject, scene.journey)).toMatchObject({ status: 'active', goalAt: null });
    await settle();
    expect(await oneOf(subject, scene.journey)).toMatchObject({ status: 'left', reason: 'goal', goalAt: clickedAt });
  });

  // spec: docs/contract.md#goals-of-a-journey: a click counts as an open
  test('a click counts as an open, and the journey goes on when the goal does not end it', async () => {
    const scene = await mailed({ event: 'open', ends: false });
    const clickedAt = subject.clock.now();
    await hit(scene, 'click');
    await settle();
    await hit(scene, 'open');
    await settle();
    expect(await oneOf(subject, scene.journey)).toMatchObject({ status: 'active', reason: null, goalAt: clickedAt });
  });

  // spec: docs/contract.md#goals-of-a-journey: not those of machines
  test('those of a machine reach nothing, also when that turns out later', async () => {
    const scene = await mailed({ event: 'click', ends: true });
    await hit(scene, 'click', 'agent');
    await settle();
    await hit(scene, 'click');
    const at = subject.clock.now();
    await subject.stores.signals.flag(scene.mail, scene.workspaceId, { from: at, to: at, reason: 'delivery' });
    await settle();
    expect(await oneOf(subject, scene.journey)).toMatchObject({ status: 'active', goalAt: null });
  });

  test('of other mails, of journeys without such a goal, and other events are passed over', async () => {
    const { stores } = subject;
    const none = await mailed(null);
    const sale = await mailed({ event: 'conversion', ends: false });
    expect(await hit(none, 'click')).toBe('drop');
    expect(await hit(sale, 'click')).toBe('drop');
    expect(await hit(sale, 'unsubscribe')).toBe('drop');
    const sender = await createSender(stores);
    const message = await acceptMessage(stores, sender);
    expect(await hit({ mail: message.id, workspaceId: sender.workspace.id }, 'open')).toBe('drop');
    expect(await hit({ mail: message.id, workspaceId: 9e8 }, 'open')).toBe('dead');
    expect(await stores.dueTasks.nextDue('journey-goal')).toBeNull();
  });
});

describe('a linked sale', () => {
  // spec: docs/contract.md#goals-of-a-journey: linked sales
  test('reaches the goal of every journey that the contact entered before it', async () => {
    const { stores, clock } = subject;
    const scene = await mailed({ event: 'conversion', ends: true });
    const { workspaceId } = scene;
    const { contactId, email, enrolledAt } = await oneOf(subject, scene.journey);
    const given = aContact(workspaceId, { email: email ?? '' });
    const goal = { event: 'conversion', ends: false } as const;
    const other = await stores.journeys.create(aJourney(workspaceId, { goal }));
    const later = await stores.journeys.create(aJourney(workspaceId, { goal }));
    const clicks = await stores.journeys.create(aJourney(workspaceId, { goal: { event: 'click', ends: true } }));
    const occurredAt = clock.now() + 1_000;
    for (const journey of [other, clicks]) {
      await stores.journeyRuns.enroll({ ...anEnrollment(journey, given), at: clock.now() });
    }
    await stores.journeyRuns.enroll({ ...anEnrollment(later, given), at: occurredAt + 1 });
    const conversion = aConversion(workspaceId, { contactId, occurredAt });
    await stores.conversions.accept(conversion);
    const { orderId: _, ...facts } = conversion;
    const take = async (fields: object): Promise<string> => {
      const value = { ...facts, kind: 'linked', clickedAt: occurredAt, ...fields };
      const record = {
        topic: 'conversions',
        key: String(workspaceId),
        value,
        partition: 0,
        offset: '0',
        at: occurredAt,
      };
      return (await group().handle(record as never)).kind;
    };
    const passedOver = [
      { kind: 'reported', clickedAt: null },
      { contactId: null },
      { id: messageId() },
      { workspaceId: 9e8 },
      { occurredAt: enrolledAt - 1 },
    ];
    for (const fields of passedOver) expect(await take(fields)).toBe('drop');
    expect(await take({})).toBe('ok');
    expect(await take({})).toBe('drop');
    const now = clock.now();
    expect(await oneOf(subject, scene.journey)).toMatchObject({
      status: 'left',
      reason: 'goal',
      goalAt: occurredAt,
      endedAt: now,
    });
    expect(await oneOf(subject, other)).toMatchObject({ status: 'active', goalAt: occurredAt });
    for (const journey of [later, clicks]) expect((await oneOf(subject, journey)).goalAt).toBeNull();
  });
});
