import { createHmac } from 'node:crypto';
import { afterEach, describe, expect, test } from '@jest/globals';
import { Lanes } from '../../../consumers/due-work/lanes';
import { postWork } from '../../../consumers/journeys/post-work';
import { stepWork } from '../../../consumers/journeys/step-work';
import { POST_WORK, STEP_WORK } from '../../../domain/journeys/enrollment';
import {
  journeySecretContext,
  type Journey,
  type JourneyGoal,
  type JourneyStep,
} from '../../../domain/journeys/journey';
import { DAY, HOUR, MINUTE, SECOND } from '../../../lib/clock';
import { AttemptClient } from '../../../operations/webhooks/attempt-client';
import { openTemporary } from '../../contract/embedded/open';
import { freshEngine } from '../../contract/harness';
import { at } from '../../contract/helpers';
import { oneOf, refOf } from '../../contract/journey-runs/support';
import { aContact, createSender, messageId, TEST_KEYRING } from '../../support/builders';
import { dueRunner, runDue } from '../../support/due-work';
import { aJourney, anEnrollment } from '../../support/marketing';
import { ANSWERED, Endpoint, REFUSED, SECRET } from '../webhooks/support';

const subject = freshEngine(openTemporary);
const POST: JourneyStep = { kind: 'webhook', url: 'https://hook.test/a' };
const WAIT: JourneyStep = { kind: 'wait', ms: HOUR };
let stop: (() => Promise<void>) | null = null;
afterEach(async () => {
  await stop?.();
  stop = null;
});

/** A running poster with an endpoint at the place of the network. */
function running(options: { travelling?: boolean } = {}) {
  const { clock, stores } = subject;
  const endpoint = new Endpoint(() => clock.now());
  const client = new AttemptClient({ keyring: TEST_KEYRING, clock, sender: endpoint });
  const lanes = new Lanes({ perEndpoint: 10, perWorkspace: 50, inAll: 500 });
  const isTravelling = (): boolean => options.travelling ?? false;
  const work = postWork({ stores, client, lanes });
  const { runner, errors, idle } = dueRunner({ stores, clock, isTravelling }, POST_WORK, work);
  runner.start();
  stop = () => runner.stop();
  const advance = async (ms: number): Promise<void> => {
    clock.advance(ms);
    await idle();
  };
  return { endpoint, errors, advance };
}

/** A journey whose contact has reached its webhook step. */
async function reached(
  steps: JourneyStep[] = [POST, WAIT],
  goal: JourneyGoal | null = null,
): Promise<{ journey: Journey; email: string }> {
  const { stores, clock, log } = subject;
  const { workspace } = await createSender(stores);
  const secretSealed = TEST_KEYRING.seal(SECRET, journeySecretContext(workspace.id));
  const journey = await stores.journeys.create(aJourney(workspace.id, { steps, goal, secretSealed }));
  const contact = aContact(workspace.id, { name: 'Sari' });
  await stores.journeyRuns.enroll({ ...anEnrollment(journey, contact), at: clock.now() });
  clock.advance(MINUTE - (clock.now() % MINUTE));
  const accept = { stores, log, keyring: TEST_KEYRING, clock, newId: () => messageId() };
  await runDue(subject, STEP_WORK, stepWork({ stores, clock, accept }));
  return { journey, email: contact.email };
}

const postsOf = (journey: Journey) => subject.stores.journeyPosts.list(refOf(journey), 100);

describe('a webhook step', () => {
  // spec: docs/contract.md#journey-webhook-step: payload, signature
  test('posts the payload of the contract, signed with the secret of the journey, and the journey goes on', async () => {
    const { journey, email } = await reached();
    const enrollment = await oneOf(subject, journey);
    expect(enrollment).toMatchObject({ status: 'active', step: 2 });
    const { endpoint, advance } = running();
    await advance(0);
    expect(endpoint.payloads).toEqual([
      {
        event: 'journey.webhook',
        journey: { id: journey.id, name: journey.name },
        contact: { email, name: 'Sari' },
        step: 1,
        goal_reached: false,
        occurred_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:00\+00:00$/),
      },
    ]);
    const sent = at(endpoint.sent, 0);
    expect(sent.url).toBe('https://hook.test/a');
    expect(sent.headers['x-service-signature']).toBe(createHmac('sha256', SECRET).update(sent.body).digest('hex'));
    expect(sent.headers['webhook-id']).toBe(`${enrollment.id}:1`);
    expect(await postsOf(journey)).toMatchObject([{ state: 'delivered', attempts: [{ status: 204, error: null }] }]);
  });

  // spec: docs/contract.md#journey-webhook-step: five attempts, their waits
  test('is tried five times, 30 s, 2, 10 and 30 minutes from attempt to attempt, under one id', async () => {
    const { journey } = await reached();
    const { endpoint, advance } = running();
    endpoint.answer = () => REFUSED;
    const start = subject.clock.now();
    for (let n = 0; n < 90; n += 1) await advance(n === 0 ? 0 : 30 * SECOND);
    const waits = [0, 30, 150, 750, 2_550];
    expect(endpoint.sent.map((sent) => (sent.at - start) / SECOND)).toEqual(waits);
    expect(new Set(endpoint.sent.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(await postsOf(journey)).toMatchObject([{ state: 'given_up' }]);
    await advance(DAY);
    expect(endpoint.sent).toHaveLength(5);
  });

  // spec: docs/contract.md#journey-webhook-step: goal_reached
  test('tells that the goal was reached meanwhile', async () => {
    const { journey } = await reached([POST, WAIT], { event: 'click', ends: false });
    const { endpoint, advance } = running();
    endpoint.answer = () => REFUSED;
    await advance(0);
    const { workspaceId, contactId } = await oneOf(subject, journey);
    const now = subject.clock.now();
    const hit = { workspaceId, journeyId: journey.id, contactId, event: 'click', at: now, now } as const;
    expect(await subject.stores.journeyRuns.reachGoal(hit)).toBe(true);
    await advance(30 * SECOND);
    expect(endpoint.payloads).toMatchObject([{ goal_reached: false }, { goal_reached: true }]);
  });

  // spec: docs/contract.md#journey-webhook-step: not for a deleted contact
  test('ends with the contact: nothing is posted for one that was deleted', async () => {
    const { journey } = await reached();
    const { contactId, workspaceId } = await oneOf(subject, journey);
    await subject.stores.contacts.delete(workspaceId, contactId);
    const { endpoint, advance } = running();
    await advance(HOUR);
    expect(endpoint.sent).toEqual([]);
    expect(await postsOf(journey)).toMatchObject([{ state: 'cancelled', attempts: [], email: null }]);
  });

  // spec: docs/contract.md#journey-webhook-step: not from a suspended workspace
  test('ends in a suspended workspace', async () => {
    const { journey } = await reached();
    await subject.stores.workspaces.update(journey.workspaceId, { suspended: true });
    const { endpoint, advance } = running();
    await advance(0);
    expect(endpoint.sent).toEqual([]);
    expect(await postsOf(journey)).toMatchObject([{ state: 'cancelled' }]);
  });

  test('counts an attempt that a process died in, and gives up when all were', async () => {
    const { journey } = await reached();
    const { dueTasks } = subject.stores;
    const now = subject.clock.now();
    for (let n = 0; n < 4; n += 1) {
      const claim = { kind: 'journey-post', now: now + n * 1_000, leaseUntil: now + n * 1_000 + 1_000, limit: 1 };
      expect(await dueTasks.claim(claim)).toHaveLength(1);
    }
    const { endpoint, advance } = running();
    endpoint.answer = () => REFUSED;
    await advance(MINUTE);
    expect(endpoint.sent).toHaveLength(1);
    const [post] = await postsOf(journey);
    expect(post).toMatchObject({ state: 'given_up' });
    expect(post?.attempts.map(({ status }) => status)).toEqual([null, null, null, null, 500]);
    await advance(DAY);
    expect(endpoint.sent).toHaveLength(1);
  });

  test('of one journey that hangs slows no other, and does not hold up the clock', async () => {
    const hanging = await reached();
    const other = await reached();
    const { endpoint, advance } = running({ travelling: true });
    endpoint.answer = async ({ body, signal }) => {
      const { journey } = JSON.parse(body.toString()) as { journey: { id: number } };
      if (journey.id !== hanging.journey.id) return ANSWERED;
      await new Promise((resolve) => signal?.addEventListener('abort', resolve));
      return { ...REFUSED, status: null, error: 'The attempt was stopped.', answer: null };
    };
    await advance(0);
    expect(await postsOf(other.journey)).toMatchObject([{ state: 'delivered' }]);
    expect(await postsOf(hanging.journey)).toMatchObject([
      { state: 'waiting', attempts: [{ error: expect.stringContaining('the clock was advanced') }] },
    ]);
  });
});
