import { describe, expect, it } from '@jest/globals';
import { HOLD } from '../../domain/campaigns/campaign-run';
import type { Lane } from '../../domain/messages/message';
import { acceptMessage, createSender, type Sender } from '../support/builders';
import { TEST_START as NOW } from '../support/clock';
import { anyTask } from '../support/due-work';
import { acceptAndClaim } from './claiming';
import { onEveryDriver } from './drivers';
import { freshEngine, type OpenEngine, type Subject } from './harness';
import { eventually, inTurn } from './helpers';

const NONE = { due: 0, oldestDueAt: null, later: 0 };

const accept = (subject: Subject, sender: Sender, lane: Lane, createdAt = NOW) =>
  acceptMessage(subject.stores, sender, { facts: { lane, createdAt } });

const set = (subject: Subject, id: string, fields: object) =>
  subject.stores.messages.change(id, () => ({ set: fields, at: NOW, records: [] }));

function describeLanes(open: OpenEngine): void {
  describe('lanes', () => {
    const subject = freshEngine(open);
    const lanes = (limit = 100) => subject.stores.backlogs.lanes(NOW, limit);

    it('counts what is due over all workspaces, lane by lane, and says since when the first of it is', async () => {
      expect(await lanes()).toEqual({ transactional: NONE, journey: NONE, campaign: NONE });
      const [a, b] = [await createSender(subject.stores), await createSender(subject.stores)];
      await accept(subject, a, 'transactional', NOW - 1_000);
      await accept(subject, b, 'transactional', NOW - 5_000);
      await accept(subject, b, 'transactional', NOW);
      await accept(subject, a, 'campaign', NOW - 7_000);
      expect(await lanes()).toEqual({
        transactional: { due: 3, oldestDueAt: NOW - 5_000, later: 0 },
        journey: NONE,
        campaign: { due: 1, oldestDueAt: NOW - 7_000, later: 0 },
      });
    });

    it('counts apart what comes later, and leaves out what is on hold, claimed or final', async () => {
      const sender = await createSender(subject.stores);
      await acceptAndClaim(subject, sender);
      const later = await accept(subject, sender, 'journey');
      await set(subject, later.id, { dueAt: NOW + 1 });
      const held = await accept(subject, sender, 'campaign');
      await set(subject, held.id, { dueAt: NOW + HOLD });
      const failed = await accept(subject, sender, 'transactional');
      await set(subject, failed.id, { status: 'failed', dueAt: null });
      expect(await lanes()).toEqual({
        transactional: NONE,
        journey: { due: 0, oldestDueAt: null, later: 1 },
        campaign: NONE,
      });
    });

    it('counts no further than the limit, in each lane', async () => {
      const senders = await inTurn(2, () => createSender(subject.stores));
      for (const sender of senders) {
        for (let n = 0; n < 3; n += 1) await accept(subject, sender, 'transactional', NOW - n);
        await accept(subject, sender, 'campaign');
      }
      const { transactional, campaign } = await lanes(4);
      expect([transactional.due, campaign.due]).toEqual([4, 2]);
    });
  });
}

function describeTasks(open: OpenEngine): void {
  describe('tasks', () => {
    const subject = freshEngine(open);
    const task = (id: string, dueAt: number, kind = 'posting') =>
      anyTask({ kind, id, workspaceId: 1, lane: '', dueAt, payload: {} });

    it('counts those of the kind that are due and those given up, up to the limit', async () => {
      const { backlogs, dueTasks } = subject.stores;
      expect(await backlogs.tasks('posting', NOW, 10)).toEqual({ due: 0, oldestDueAt: null, givenUp: 0 });
      await dueTasks.schedule([task('a', NOW - 9), task('b', NOW - 5), task('c', NOW), task('d', NOW + 1)]);
      await dueTasks.schedule([task('e', NOW - 99, 'other')]);
      const [first] = await dueTasks.claim({ kind: 'posting', now: NOW, leaseUntil: NOW + 60, limit: 1 });
      await dueTasks.giveUp(first!, 'no', NOW);
      expect(await backlogs.tasks('posting', NOW, 10)).toEqual({ due: 2, oldestDueAt: NOW - 5, givenUp: 1 });
      expect((await backlogs.tasks('posting', NOW, 1)).due).toBe(1);
    });
  });
}

function describeRest(open: OpenEngine): void {
  describe('awaitingReport and outbox', () => {
    const subject = freshEngine(open);

    it('count what was handed over and has no report, up to the limit', async () => {
      const sender = await createSender(subject.stores);
      const handedOver = await inTurn(2, () => acceptAndClaim(subject, sender));
      for (const { id } of handedOver) await set(subject, id, { status: 'sent_to_mta', dispatchedAt: NOW });
      await acceptAndClaim(subject, sender);
      expect(await subject.stores.backlogs.awaitingReport(10)).toBe(2);
      expect(await subject.stores.backlogs.awaitingReport(1)).toBe(1);
      await set(subject, handedOver[0]!.id, { status: 'delivered', dueAt: null });
      expect(await subject.stores.backlogs.awaitingReport(10)).toBe(1);
    });

    it('find nothing left once every record is in the log', async () => {
      await acceptMessage(subject.stores, await createSender(subject.stores));
      await eventually(async () =>
        expect(await subject.stores.backlogs.outbox(10)).toEqual({ writes: 0, oldestAt: null }),
      );
    });
  });
}

/** The BacklogStore behaviour required of every driver. */
function describeBacklogStore(open: OpenEngine): void {
  describe('BacklogStore', () => {
    describeLanes(open);
    describeTasks(open);
    describeRest(open);
  });
}

onEveryDriver(describeBacklogStore);
