import { describe, expect, it } from '@jest/globals';
import { HOLD } from '../../domain/campaigns/campaign-run';
import type { MessageState } from '../../domain/messages/message';
import { DAY, HOUR, MINUTE, SECOND } from '../../lib/clock';
import type { LongestWaits } from '../../stores/ports/set-back';
import { aContact, acceptMessage, createSender, type Sender } from '../support/builders';
import { TEST_START as NOW } from '../support/clock';
import { anEnrollment } from '../support/marketing';
import { acceptAndClaim, claim } from './claiming';
import { onEveryDriver } from './drivers';
import { freshEngine, type OpenEngine, type Subject } from './harness';
import { newJourney, openOne, oneOf } from './journey-runs/support';
import { present } from './helpers';

const AHEAD = NOW + 2 * DAY;
const HAND_OFF = 12 * MINUTE;
const WAITS: LongestWaits = {
  now: NOW,
  retry: HOUR,
  handOff: HAND_OFF,
  evidence: 4 * DAY,
  lease: 90 * SECOND,
  wasAhead: true,
  tasks: { webhook: 2 * MINUTE },
};
const settle = (subject: Subject, overrides: Partial<LongestWaits> = {}): Promise<number> =>
  subject.stores.setBack.settle({ ...WAITS, ...overrides });
const dueOf = async (subject: Subject, id: string): Promise<number | null> =>
  present(await subject.stores.messages.get(id)).dueAt;
const change = async (subject: Subject, id: string, set: Partial<Omit<MessageState, 'version'>>): Promise<string> => {
  await subject.stores.messages.change(id, () => ({ set, at: AHEAD, records: [] }));
  return id;
};

/** What each driver of SetBackStore owes. */
function describeSetBack(open: OpenEngine): void {
  describe('SetBackStore', () => {
    describeTurns(open);
    describeHandOffs(open);
    describeRest(open);
  });
}

function describeTurns(open: OpenEngine): void {
  const subject = freshEngine(open);
  const accepted = async (sender: Sender, facts: { createdAt?: number; sendAt?: number }): Promise<string> =>
    (await acceptMessage(subject.stores, sender, { facts })).id;
  const lookAt = (sender: Sender, kind: 'turn' | 'rate' | 'day', at: number): Promise<void> =>
    subject.stores.wakeups.write([{ workspaceId: sender.workspace.id, shard: 0, epoch: 1, wakeup: { at, kind } }]);
  const lookOf = async ({ workspace: { id } }: Sender) => (await subject.stores.wakeups.find([id]))[0]?.at;

  // spec: docs/contract.md#send-rate: mail accepted while the clock was ahead goes at once when it is right again
  it('makes mail that was accepted in the future due, and its workspace looked at; what a person scheduled stays', async () => {
    const sender = await createSender(subject.stores);
    const early = await accepted(sender, { createdAt: AHEAD });
    const scheduled = await accepted(sender, { createdAt: AHEAD, sendAt: AHEAD + DAY });
    await lookAt(sender, 'turn', AHEAD);
    expect(await settle(subject, { wasAhead: false })).toBe(1);
    expect(await settle(subject)).toBe(0);
    expect([await dueOf(subject, early), await dueOf(subject, scheduled)]).toEqual([NOW, AHEAD + DAY]);
    expect(await lookOf(sender)).toBe(0);
    expect((await claim(subject, sender)).claimed.map(({ id }) => id)).toEqual([early]);
  });

  it('makes retries due that lie further ahead than their longest wait, on hold as well', async () => {
    const sender = await createSender(subject.stores);
    const retry = async (dueAt: number): Promise<string> =>
      change(subject, (await acceptAndClaim(subject, sender)).id, { status: 'queued', dueAt });
    const ids = [await retry(AHEAD + HOUR), await retry(HOLD + AHEAD + HOUR), await retry(NOW + HOUR)];
    await settle(subject, { wasAhead: false });
    expect(await Promise.all(ids.map((id) => dueOf(subject, id)))).toEqual([NOW, HOLD + NOW, NOW + HOUR]);
  });

  it('lets mail that waits for its destination ask again, only where the clock is known to have been ahead', async () => {
    const sender = await createSender(subject.stores);
    const id = await accepted(sender, {});
    await subject.stores.queue.hold(sender.workspace.id, [{ messageId: id, dueAt: AHEAD, heldFor: 'gmail' }], NOW);
    expect([await settle(subject, { wasAhead: false }), await dueOf(subject, id)]).toEqual([0, AHEAD]);
    expect([await settle(subject), await dueOf(subject, id)]).toEqual([1, NOW]);
  });

  it('has workspaces looked at that wait longer for their rate, their day or a turn than there is to wait', async () => {
    const senders = await Promise.all([1, 2, 3, 4, 5].map(() => createSender(subject.stores)));
    const [rate, day, turn, rightDay, held] = senders as [Sender, Sender, Sender, Sender, Sender];
    await accepted(turn, {});
    await lookAt(rate, 'rate', AHEAD);
    await lookAt(day, 'day', AHEAD);
    await lookAt(turn, 'turn', AHEAD);
    await lookAt(rightDay, 'day', NOW + 10 * HOUR);
    await lookAt(held, 'turn', NOW + HOUR);
    await settle(subject, { wasAhead: false });
    expect(await Promise.all(senders.map(lookOf))).toEqual([0, 0, 0, NOW + 10 * HOUR, NOW + HOUR]);
  });

  // spec: docs/contract.md#send-rate: claims of the future do not use the rate up
  it('finds the claims of now among those of the future', async () => {
    const sender = await createSender(subject.stores);
    await acceptAndClaim(subject, sender, {}, { now: AHEAD });
    await acceptAndClaim(subject, sender, {}, { now: NOW });
    expect(await subject.stores.queue.recentClaims(sender.workspace.id, 0, 1, NOW + MINUTE)).toEqual([NOW]);
    expect(await subject.stores.queue.recentClaims(sender.workspace.id, 0, 2)).toEqual([AHEAD, NOW]);
  });
}

function describeHandOffs(open: OpenEngine): void {
  const subject = freshEngine(open);

  it('ends claims after the longest hand-off, and waits for a report after the longest wait, in whole seconds', async () => {
    const sender = await createSender(subject.stores);
    const claimed = async (now: number, set: Partial<Omit<MessageState, 'version'>> = {}): Promise<string> => {
      const { id } = await acceptAndClaim(subject, sender, {}, { now, leaseUntil: now + HAND_OFF });
      return change(subject, id, set);
    };
    const fenced = { fence: 'a', fencedAt: AHEAD + 1 };
    const ids = [
      await claimed(AHEAD),
      await claimed(NOW),
      await claimed(AHEAD, { ...fenced, unknown: true, dueAt: AHEAD + 1 + 4 * DAY }),
      await claimed(AHEAD, { ...fenced, status: 'sent_to_mta', dispatchedAt: AHEAD + 1, dueAt: AHEAD + 1 + 4 * DAY }),
    ];
    await settle(subject, { wasAhead: false });
    const wait = NOW + 1 + 4 * DAY - SECOND;
    expect(await Promise.all(ids.map((id) => dueOf(subject, id)))).toEqual([
      NOW + HAND_OFF,
      NOW + HAND_OFF,
      wait,
      wait,
    ]);
    await subject.crash();
    expect(await subject.stores.deadlines.unfenced(NOW + HAND_OFF, 10)).toHaveLength(2);
    expect(await settle(subject)).toBe(0);
  });

  it('lets mail that is sent again when in doubt wait from now on, as long as it was to wait after the fence', async () => {
    const sender = await createSender(subject.stores);
    const inDoubt = async (fencedAt: number, wait: number): Promise<string> => {
      const { id } = await acceptAndClaim(subject, sender, {}, { now: fencedAt });
      return change(subject, id, { fence: 'a', fencedAt, unknown: true, dueAt: fencedAt + wait });
    };
    const quarter = 15 * MINUTE;
    const ids = [await inDoubt(AHEAD, quarter), await inDoubt(NOW, quarter), await inDoubt(AHEAD, DAY)];
    await settle(subject, { wasAhead: false });
    const settled = [NOW + quarter, NOW + quarter, AHEAD + DAY];
    expect(await Promise.all(ids.map((id) => dueOf(subject, id)))).toEqual(settled);
    expect(await settle(subject, { now: NOW + MINUTE })).toBe(0);
  });
}

function describeRest(open: OpenEngine): void {
  const subject = freshEngine(open);
  const task = (id: string, dueAt: number, kind: 'webhook' | 'campaign-starts' = 'webhook') =>
    ({ kind, id, workspaceId: 1, lane: '', dueAt, payload: {} }) as const;

  it('makes due work due by its longest wait: what a person scheduled stays, and what is at work keeps its claim', async () => {
    const { dueTasks } = subject.stores;
    await dueTasks.schedule([task('far', AHEAD), task('near', NOW + MINUTE), task('start', AHEAD, 'campaign-starts')]);
    await dueTasks.schedule([task('working', NOW)]);
    await dueTasks.claim({ kind: 'webhook', now: NOW, leaseUntil: AHEAD + MINUTE, limit: 10 });
    expect(await settle(subject)).toBe(2);
    const due = async (now: number): Promise<string[]> =>
      (await dueTasks.claim({ kind: 'webhook', now, leaseUntil: NOW + DAY, limit: 10 })).map(({ id }) => id);
    expect(await due(NOW)).toEqual(['far']);
    expect(await due(NOW + 90 * SECOND)).toEqual(['near', 'working']);
    expect(await dueTasks.nextDue('campaign-starts')).toBe(AHEAD);
  });

  it('lets the wait of a journey that began in the future begin now, and last as long', async () => {
    const journey = await newJourney(subject);
    await subject.stores.journeyRuns.enroll({ ...anEnrollment(journey, aContact(journey.workspaceId)) });
    const { id } = await oneOf(subject, journey);
    const [claimed] = await subject.stores.dueTasks.claim({
      kind: 'journey-step',
      now: AHEAD,
      leaseUntil: AHEAD + MINUTE,
      limit: 1,
    });
    await subject.stores.journeyRuns.advance([
      {
        enrollmentId: id,
        from: 1,
        claim: present(claimed),
        steps: [],
        tasks: [],
        end: { kind: 'waits', step: 2, since: AHEAD, dueAt: AHEAD + 90 * DAY },
      },
    ]);
    expect(await settle(subject, { wasAhead: false })).toBe(0);
    expect(await settle(subject)).toBe(1);
    expect((await openOne(subject, { id })).enrollment).toMatchObject({ since: NOW, dueAt: NOW + 90 * DAY });
    expect(await subject.stores.dueTasks.nextDue('journey-step')).toBe(NOW + 90 * DAY);
    expect(await settle(subject)).toBe(0);
  });

  it('shortens leases of the future, so that they can be taken when they end; their owners go on', async () => {
    const { leases } = subject.stores;
    const epoch = present(await leases.acquire('throttle/0', 'a', AHEAD, 10 * SECOND));
    expect(await leases.acquire('throttle/0', 'b', NOW, 10 * SECOND)).toBeNull();
    expect(await settle(subject, { wasAhead: false })).toBe(1);
    expect(await leases.acquire('throttle/0', 'b', NOW, 10 * SECOND)).toBeNull();
    expect(await leases.renew('throttle/0', 'a', epoch, NOW, 10 * SECOND)).toBe(true);
    expect(await leases.acquire('throttle/0', 'b', NOW + 10 * SECOND, 10 * SECOND)).toBe(epoch + 1);
  });

  it('names the messages that were made in the future', async () => {
    const sender = await createSender(subject.stores);
    expect(await subject.stores.setBack.stampedAfter(NOW, 10)).toEqual({ count: 0, last: null });
    for (const createdAt of [NOW, AHEAD, AHEAD + 5])
      await acceptMessage(subject.stores, sender, { facts: { createdAt } });
    expect(await subject.stores.setBack.stampedAfter(NOW, 10)).toEqual({ count: 2, last: AHEAD + 5 });
    expect(await subject.stores.setBack.stampedAfter(AHEAD, 10)).toEqual({ count: 1, last: AHEAD + 5 });
    expect((await subject.stores.setBack.stampedAfter(0, 2)).count).toBe(2);
  });
}

onEveryDriver(describeSetBack);
