import { describe, expect, it } from '@jest/globals';
import { POST_WORK } from '../../domain/journeys/enrollment';
import type { Journey, JourneyStep } from '../../domain/journeys/journey';
import { postId, postLane } from '../../domain/journeys/journey-post';
import type { DeliveryAttempt } from '../../domain/webhooks/webhook-delivery';
import { DAY } from '../../lib/clock';
import type { ClaimedTask } from '../../stores/ports/due-tasks';
import { TEST_START } from '../support/clock';
import { onEveryDriver } from './drivers';
import { sharedEngine, type OpenEngine, type Subject } from './harness';
import { at, present } from './helpers';
import { aRound, claimSteps, enrollSome, newJourney, oneOf, refOf } from './journey-runs/support';

const POST: JourneyStep = { kind: 'webhook', url: 'https://hook.test/a' };
const WAIT: JourneyStep = { kind: 'wait', ms: 3_600_000 };

const attempt = (overrides: Partial<DeliveryAttempt> = {}): DeliveryAttempt => ({
  at: TEST_START,
  status: 500,
  error: 'It answered 500.',
  durationMs: 3,
  answer: 'no',
  ...overrides,
});

/** A contact that reached the webhook step of a new journey, and the post of it. */
async function reached(subject: Subject): Promise<{ journey: Journey; id: string; contactId: number }> {
  const journey = await newJourney(subject, { steps: [POST, WAIT] });
  const { id: enrollmentId, contactId } = at(await enrollSome(subject, journey), 0);
  const task = present((await claimSteps(subject, journey))[0]);
  const id = postId({ enrollmentId, step: 1 });
  const lane = postLane({ workspaceId: journey.workspaceId, journeyId: journey.id });
  const due = { kind: POST_WORK, id, workspaceId: journey.workspaceId, lane, dueAt: TEST_START, payload: {} } as const;
  const round = aRound(task, {
    steps: [{ step: 1, type: 'webhook', at: TEST_START, outcome: 'done', reason: null, messageId: null }],
    tasks: [due],
  });
  expect(await subject.stores.journeyRuns.advance([round])).toEqual([true]);
  expect(await subject.stores.journeyRuns.advance([round])).toEqual([false]);
  return { journey, id, contactId };
}

async function claim(subject: Subject, journey: Journey, now = TEST_START): Promise<ClaimedTask> {
  const lane = postLane({ workspaceId: journey.workspaceId, journeyId: journey.id });
  const [task] = await subject.stores.dueTasks.claim({
    kind: POST_WORK,
    lane,
    now,
    leaseUntil: now + 1_000,
    limit: 10,
  });
  return present(task);
}

/** The JourneyPosts behaviour required of every driver. */
function describeJourneyPosts(open: OpenEngine): void {
  describe('JourneyPosts', () => {
    const subject = sharedEngine(open);

    it('has one post for a webhook step, with all that its request is made of', async () => {
      const { journey, id, contactId } = await reached(subject);
      const { workspaceId } = journey;
      await subject.crash();
      const contact = present(await subject.stores.contacts.get(workspaceId, contactId));
      const { id: enrollmentId } = await oneOf(subject, journey);
      const post = {
        enrollmentId,
        step: 1,
        workspaceId,
        journeyId: journey.id,
        contactId,
        createdAt: TEST_START,
        state: 'waiting',
        attempts: [],
      };
      expect(await subject.stores.journeyPosts.open(id)).toEqual({
        post,
        journey: { id: journey.id, name: journey.name, secretSealed: journey.secretSealed },
        url: 'https://hook.test/a',
        contact: { email: contact.email, name: contact.name },
        goalReached: false,
      });
      expect(await subject.stores.journeyPosts.list(refOf(journey), 10)).toEqual([{ ...post, email: contact.email }]);
      expect(await subject.stores.journeyPosts.open(`${enrollmentId}:2`)).toBeNull();
      expect(await subject.stores.journeyPosts.open('unknown')).toBeNull();
      expect(await subject.stores.journeyPosts.list({ ...refOf(journey), workspaceId: 999_999 }, 10)).toEqual([]);
    });

    it('keeps each result with its claim, and is due again or over', async () => {
      const { journey, id } = await reached(subject);
      const { journeyPosts } = subject.stores;
      const first = await claim(subject, journey);
      const again = { state: 'waiting', attempts: [attempt()], nextAt: TEST_START + 30_000 } as const;
      expect(await journeyPosts.finish(first, { ...again, attempts: [...again.attempts] })).toBe(true);
      expect(await journeyPosts.finish(first, { ...again, attempts: [attempt()] })).toBe(false);
      const second = await claim(subject, journey, TEST_START + 30_000);
      expect(second).toMatchObject({ id, attempt: 2 });
      const ok = attempt({ status: 204, error: null, answer: '' });
      expect(await journeyPosts.finish(second, { state: 'delivered', attempts: [ok], nextAt: null })).toBe(true);
      await subject.crash();
      expect(await subject.stores.journeyPosts.open(id)).toMatchObject({
        post: { state: 'delivered', attempts: [attempt(), ok] },
      });
      await expect(claim(subject, journey, TEST_START + DAY)).rejects.toThrow();
    });

    it('loses the contact and all answers with its deletion, also those that come later', async () => {
      const { journey, id, contactId } = await reached(subject);
      const { journeyPosts, contacts } = subject.stores;
      const first = await claim(subject, journey);
      await journeyPosts.finish(first, { state: 'waiting', attempts: [attempt()], nextAt: TEST_START });
      const second = await claim(subject, journey);
      await contacts.delete(journey.workspaceId, contactId);
      expect(await journeyPosts.open(id)).toMatchObject({ contact: null, post: { attempts: [{ answer: null }] } });
      await journeyPosts.finish(second, { state: 'cancelled', attempts: [attempt()], nextAt: null });
      const [post] = await journeyPosts.list(refOf(journey), 10);
      expect(post).toMatchObject({ email: null, state: 'cancelled', attempts: [{ answer: null }, { answer: null }] });
    });

    it('is trimmed by its age, unless it waits', async () => {
      const waiting = await reached(subject);
      const over = await reached(subject);
      const { journeyPosts } = subject.stores;
      const task = await claim(subject, over.journey);
      await journeyPosts.finish(task, { state: 'given_up', attempts: [attempt()], nextAt: null });
      expect(await journeyPosts.trim(TEST_START, 1_000)).toBe(0);
      while ((await journeyPosts.trim(TEST_START + 1, 1_000)) > 0);
      expect(await journeyPosts.open(over.id)).toBeNull();
      expect(await journeyPosts.open(waiting.id)).toMatchObject({ post: { state: 'waiting' } });
    });
  });
}

onEveryDriver(describeJourneyPosts);
