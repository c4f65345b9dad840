import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { resumeWork } from '../../../consumers/journeys/resume-work';
import { STEP_LEASE, stepWork, type StepDeps } from '../../../consumers/journeys/step-work';
import { journeyMessageId, RESUME_WORK, STEP_WORK } from '../../../domain/journeys/enrollment';
import type { Journey, JourneyStep } from '../../../domain/journeys/journey';
import { texts } from '../../../domain/texts';
import { HOUR, MINUTE, SECOND } from '../../../lib/clock';
import type { Stores } from '../../../stores/ports';
import { Faults, type FaultRule } from '../../../stores/wrappers/faults';
import { faultyEngine } from '../../../stores/wrappers/faulty-engine';
import { openTemporary } from '../../contract/embedded/open';
import { Subject } from '../../contract/harness';
import { at, present } from '../../contract/helpers';
import { listAll, oneOf } from '../../contract/journey-runs/support';
import { aContact, aGrant, createSender, messageId, TEST_KEYRING, type Sender } from '../../support/builders';
import { runDue } from '../../support/due-work';
import { aJourney, anAudience, anEnrollment } from '../../support/marketing';

const subject = new Subject(openTemporary);
beforeAll(() => subject.open());
afterAll(() => subject.destroy());

let sender: Sender;
beforeEach(async () => {
  sender = await createSender(subject.stores);
});

const mail = (subjectText = 'Halo'): JourneyStep => ({
  kind: 'email',
  domainId: sender.domain.id,
  subject: subjectText,
  html: '<p>Halo</p>',
  text: null,
});
const wait = (ms: number): JourneyStep => ({ kind: 'wait', ms });

const journeyOf = (steps: JourneyStep[], overrides: Parameters<typeof aJourney>[1] = {}): Promise<Journey> =>
  subject.stores.journeys.create(aJourney(sender.workspace.id, { steps, ...overrides }));

const enroll = async (journey: Journey, contact = aContact(journey.workspaceId)): Promise<void> => {
  await subject.stores.journeyRuns.enroll({ ...anEnrollment(journey, contact), at: subject.clock.now() });
};

function deps(stores: Stores = subject.stores): StepDeps {
  const { clock, log } = subject;
  return { stores, clock, accept: { stores, log, keyring: TEST_KEYRING, clock, newId: () => messageId() } };
}

/** Takes all steps that are due `ms` later. */
async function later(ms: number, stores?: Stores): Promise<void> {
  subject.clock.advance(ms);
  await runDue({ stores: stores ?? subject.stores, clock: subject.clock }, STEP_WORK, stepWork(deps(stores)));
}

const messagesOf = async (): Promise<{ id: string; subject: string; lane: string; journeyStep: number | null }[]> =>
  (await subject.stores.messages.list(sender.workspace.id, { offset: 0, limit: 100 })).items.reverse();

const trail = async (journey: Journey): Promise<string[]> =>
  (await oneOf(subject, journey)).steps.map(
    ({ step, type, outcome, reason }) => `${step} ${type} ${outcome}${reason ? `: ${reason}` : ''}`,
  );

/** To the next full minute. */
const toMinute = (): number => MINUTE - (subject.clock.now() % MINUTE);

describe('the steps of a journey', () => {
  // spec: docs/contract.md#taking-steps: on the minute; without a wait in the same one; waits count from the step
  //   before
  test('run on the minute, those without a wait between them in the same one, and waits count from the step before', async () => {
    const audience = await subject.stores.audiences.create(anAudience(sender.workspace.id));
    const journey = await journeyOf([
      mail('satu'),
      { kind: 'add_to_audience', audienceId: audience.id },
      wait(HOUR),
      mail('dua'),
      wait(90 * SECOND),
      mail('tiga'),
    ]);
    subject.clock.advance(toMinute() + 17 * SECOND);
    await enroll(journey);
    await later(42 * SECOND);
    expect(await trail(journey)).toEqual([]);
    await later(SECOND);
    const minute = subject.clock.now();
    expect(await trail(journey)).toEqual(['1 email done', '2 add_to_audience done']);
    expect(await oneOf(subject, journey)).toMatchObject({ step: 3, since: minute, dueAt: minute + HOUR });
    const members = present(
      await subject.stores.audiences.members(sender.workspace.id, audience.id, { offset: 0, limit: 9 }),
    );
    expect(members.total).toBe(1);
    await later(HOUR - 1);
    expect(await messagesOf()).toHaveLength(1);
    await later(1);
    expect(await oneOf(subject, journey)).toMatchObject({ step: 5, dueAt: minute + HOUR + 2 * MINUTE });
    await later(2 * MINUTE);
    expect(await trail(journey)).toEqual([
      ...['1 email done', '2 add_to_audience done', '3 wait done', '4 email done', '5 wait done', '6 email done'],
    ]);
    expect(await oneOf(subject, journey)).toMatchObject({
      status: 'completed',
      endedAt: subject.clock.now(),
      dueAt: null,
    });
    expect((await messagesOf()).map(({ subject: text, lane, journeyStep }) => [text, lane, journeyStep])).toEqual([
      ['satu', 'journey', 1],
      ['dua', 'journey', 4],
      ['tiga', 'journey', 6],
    ]);
  });

  // spec: docs/contract.md#taking-steps: branch by the goal, an open or a click
  test('take the way of a branch by the goal', async () => {
    const branch: JourneyStep = { kind: 'branch', on: { kind: 'goal' }, then: [mail('ya')], else: [mail('tidak')] };
    const journey = await journeyOf([wait(HOUR), branch, mail('akhir')], { goal: { event: 'click', ends: false } });
    for (let n = 0; n < 2; n += 1) await enroll(journey);
    const [first] = await listAll(subject, journey);
    const { workspaceId, contactId } = present(first);
    await later(toMinute());
    const now = subject.clock.now();
    const hit = { workspaceId, journeyId: journey.id, contactId, event: 'click' as const, at: now, now };
    await subject.stores.journeyRuns.reachGoal(hit);
    await later(HOUR);
    const all = await listAll(subject, journey);
    expect(all.map(({ steps }) => steps.map(({ step, outcome }) => `${step} ${outcome}`))).toEqual([
      ['1 done', '2 then', '3 done', '5 done'],
      ['1 done', '2 else', '4 done', '5 done'],
    ]);
  });

  // spec: docs/contract.md#taking-steps: refused steps are noted
  test('go on after a mail or a list that is refused, with the reason', async () => {
    const { domains, workspaces } = subject.stores;
    const { id } = sender.workspace;
    const journey = await journeyOf([
      mail(),
      wait(HOUR),
      mail(),
      wait(HOUR),
      mail(),
      { kind: 'add_to_audience', audienceId: 9e8 },
    ]);
    await enroll(journey);
    await domains.setStatus(sender.domain.id, 'suspended');
    await later(toMinute());
    await domains.setStatus(sender.domain.id, 'active');
    await workspaces.update(id, { suspended: true });
    await later(HOUR);
    await workspaces.update(id, { suspended: false });
    const account = await subject.stores.coins.account(id);
    await subject.stores.coins.post(aGrant(id, -account.balance));
    await later(HOUR);
    expect(await trail(journey)).toEqual([
      `1 email refused: ${texts.domainInactive}`,
      '2 wait done',
      `3 email refused: ${texts.workspaceSuspended}`,
      '4 wait done',
      `5 email refused: ${texts.noCoins}`,
      '6 add_to_audience refused: The audience does not exist.',
    ]);
    expect(await messagesOf()).toEqual([]);
  });

  // spec: docs/contract.md#leaving-a-journey: suppressed
  test('end for a contact whose address was suppressed', async () => {
    const journey = await journeyOf([mail()]);
    const contact = aContact(journey.workspaceId);
    await enroll(journey, contact);
    const { emailHash: addressHash } = contact;
    await subject.stores.suppressions.add({
      workspaceId: null,
      addressHash,
      reason: 'manual',
      messageId: null,
      createdAt: 1,
    });
    await later(toMinute());
    expect(await oneOf(subject, journey)).toMatchObject({ status: 'left', reason: 'suppressed', steps: [] });
    expect(await messagesOf()).toEqual([]);
  });

  // spec: docs/contract.md#taking-steps: a paused journey keeps the places
  test('of a paused journey keep their place, and what came due runs when it goes on', async () => {
    const journey = await journeyOf([mail('satu'), wait(HOUR), mail('dua')]);
    await enroll(journey);
    await later(toMinute());
    const { journeys, dueTasks } = subject.stores;
    await journeys.setStatus(journey.workspaceId, journey.id, 'paused', subject.clock.now());
    await later(3 * HOUR);
    expect(await dueTasks.nextDue('journey-step')).toBeNull();
    expect(await oneOf(subject, journey)).toMatchObject({ status: 'active', step: 2 });
    await journeys.setStatus(journey.workspaceId, journey.id, 'active', subject.clock.now());
    let woken = 0;
    const wakeSteps = (): void => void (woken += 1);
    const resume = () => runDue(subject, RESUME_WORK, resumeWork({ ...deps(), wakeSteps }));
    for (let n = 0; n < 3; n += 1) {
      subject.clock.advance(n === 2 ? STEP_LEASE : 1);
      await resume();
    }
    expect(woken).toBeGreaterThan(0);
    await later(0);
    expect((await messagesOf()).map(({ subject: text }) => text)).toEqual(['satu', 'dua']);
    subject.clock.advance(1);
    await resume();
    expect(await dueTasks.nextDue('journey-resume')).toBeNull();
  });
});

describe('a process that dies in a step', () => {
  const dies = (operation: string, when: 'before' | 'after', nth = 1): FaultRule => ({
    operation,
    nth,
    fault: { kind: 'error', when },
  });

  // spec: docs/contract.md#taking-steps: no step is lost or doubled by a crash
  test.each<[operation: string, when: 'before' | 'after', nth?: number]>([
    ['journeyRuns.open', 'after'],
    ['messages.accept', 'before'],
    ['messages.accept', 'after'],
    ['messages.accept', 'before', 2],
    ['messages.accept', 'after', 2],
    ['audiences.join', 'after'],
    ['journeyRuns.advance', 'before'],
    ['journeyRuns.advance', 'after'],
  ])('at %s, %s it: the step is done once, by the next one', async (operation, when, nth = 1) => {
    const audience = await subject.stores.audiences.create(anAudience(sender.workspace.id));
    const steps: JourneyStep[] = [
      mail('satu'),
      { kind: 'add_to_audience', audienceId: audience.id },
      mail('dua'),
      { kind: 'add_to_audience', audienceId: audience.id },
      wait(HOUR),
    ];
    const journey = await journeyOf(steps);
    for (let n = 0; n < 3; n += 1) await enroll(journey);
    const faults = new Faults([dies(operation, when, nth)], {
      crash: () => undefined,
      error: (name) => new Error(name),
      pause: async () => undefined,
    });
    const { stores } = faultyEngine({ stores: subject.stores, log: subject.log, close: async () => undefined }, faults);
    await expect(later(toMinute(), stores)).rejects.toThrow(operation);
    await later(STEP_LEASE);
    const all = await listAll(subject, journey);
    const done = ['1 email', '2 add_to_audience', '3 email', '4 add_to_audience'];
    expect(all.map(({ steps: rows }) => rows.map(({ step, type }) => `${step} ${type}`))).toEqual([done, done, done]);
    const found = await messagesOf();
    expect(found).toHaveLength(6);
    expect(new Set(all.flatMap(({ steps: rows }) => rows.flatMap(({ messageId: id }) => id ?? [])))).toEqual(
      new Set(found.map(({ id }) => id)),
    );
    const { id, enrolledAt } = at(all, 0);
    expect(found.map((message) => message.id)).toContain(
      journeyMessageId(id, 1, Math.ceil(enrolledAt / MINUTE) * MINUTE),
    );
    expect((await subject.stores.audiences.get(sender.workspace.id, audience.id))?.contactsCount).toBe(3);
  });
});

test.each<[operation: string, when: 'before' | 'after']>([
  ['audiences.join', 'after'],
  ['journeyRuns.advance', 'before'],
])('a process that dies at %s, %s it, asks a member to confirm once', async (operation, when) => {
  const audience = await subject.stores.audiences.create(anAudience(sender.workspace.id, { optInMode: 'double' }));
  const journey = await journeyOf([{ kind: 'add_to_audience', audienceId: audience.id }, wait(HOUR)]);
  await enroll(journey);
  const { contactId } = await oneOf(subject, journey);
  const faults = new Faults([{ operation, nth: 1, fault: { kind: 'error', when } }], {
    crash: () => undefined,
    error: (name) => new Error(name),
    pause: async () => undefined,
  });
  const { stores } = faultyEngine({ stores: subject.stores, log: subject.log, close: async () => undefined }, faults);
  await expect(later(toMinute(), stores)).rejects.toThrow(operation);
  await later(STEP_LEASE);
  expect(await trail(journey)).toEqual(['1 add_to_audience done']);
  const ref = { workspaceId: sender.workspace.id, audienceId: audience.id, contactId };
  expect(await subject.stores.optIns.find(ref)).toMatchObject({ member: { asked: 1, confirmedAt: null } });
});

// spec: docs/contract.md#leaving-a-journey: no mail is made for one that left
test('a contact that leaves while its mail is made gets none, and a step that was done is kept', async () => {
  const journey = await journeyOf([mail('satu'), mail('dua'), wait(HOUR)]);
  await enroll(journey);
  await enroll(journey);
  const [first, second] = await listAll(subject, journey);
  const leave = (contactId: number) =>
    subject.stores.journeyRuns.leave({ workspaceId: journey.workspaceId, contactId }, 'removed', subject.clock.now());
  const { messages } = subject.stores;
  let calls = 0;
  const stores: Stores = {
    ...subject.stores,
    messages: {
      ...messages,
      accept: async (acceptances) => {
        calls += 1;
        await leave(present(calls === 1 ? first : second).contactId);
        return messages.accept(acceptances);
      },
    },
  };
  await later(toMinute(), stores);
  const ended = await listAll(subject, journey);
  expect(ended.map(({ status, steps }) => [status, steps.map(({ step }) => step)])).toEqual([
    ['left', []],
    ['left', [1]],
  ]);
  expect((await messagesOf()).map(({ subject: text }) => text)).toEqual(['satu']);
});

test.each(['bounced', 'complained'] as const)(
  'a contact that %s while its mail is refused leaves for that reason',
  async (status) => {
    const journey = await journeyOf([mail()]);
    await enroll(journey);
    const { contacts, messages } = subject.stores;
    // As on MongoDB between the write of the status and that of the enrollments.
    const raised = async (workspaceId: number, id: number) => ({
      ...present(await contacts.get(workspaceId, id)),
      status,
    });
    await later(toMinute(), {
      ...subject.stores,
      contacts: { ...contacts, get: raised },
      messages: { ...messages, accept: async () => [{ kind: 'refused', reason: 'unsubscribed' }] },
    });
    expect(await oneOf(subject, journey)).toMatchObject({ status: 'left', reason: status, steps: [] });
  },
);
