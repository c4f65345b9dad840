import { describe, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { WakeCampaigns } from '../../../consumers/campaigns/wake-campaigns';
import type { Message } from '../../../domain/messages/message';
import { Activity } from '../../../lib/activity';
import { HOUR } from '../../../lib/clock';
import { onEveryDriver } from '../../contract/drivers';
import { freshEngine, type OpenEngine } from '../../contract/harness';
import { eventually } from '../../contract/helpers';
import { TEST_START as NOW } from '../../support/clock';

const task = (id: string, dueAt: number) =>
  ({ kind: 'campaigns', id, workspaceId: 1, lane: '', dueAt, payload: {} }) as const;
const ended = (campaignId: number, overrides: Partial<Message> = {}): Message =>
  ({ lane: 'campaign', campaignId, status: 'delivered', ...overrides }) as Message;

function describeWaking(open: OpenEngine): void {
  describe('the end of a message of a campaign', () => {
    const subject = freshEngine(open);
    const opened = (): { campaigns: WakeCampaigns; asked: string[] } => {
      const { taskWakes } = subject.stores;
      const asked: string[] = [];
      const hasten: typeof taskWakes.hasten = (key, dueAt) => {
        asked.push(key.id);
        return taskWakes.hasten(key, dueAt);
      };
      const deps = { taskWakes: { hasten }, clock: subject.clock, activity: new Activity() };
      return { campaigns: new WakeCampaigns({ ...deps, logger: { error: () => undefined } }), asked };
    };
    const untilDue = async (at: number): Promise<void> => {
      await eventually(async () => expect(await subject.stores.dueTasks.nextDue('campaigns')).toBe(at));
    };

    it('brings the next look at it forward, once for many; no other message does', async () => {
      await subject.stores.dueTasks.schedule([task('1', NOW + HOUR), task('2', NOW + HOUR)]);
      const { campaigns, asked } = opened();
      campaigns.note(ended(2, { lane: 'transactional' }));
      campaigns.note(ended(2, { status: 'sent_to_mta' }));
      campaigns.note(ended(2, { campaignId: null }));
      expect(asked).toEqual([]);
      for (let n = 0; n < 100; n += 1) campaigns.note(ended(1));
      await untilDue(NOW);
      const claimed = await subject.stores.dueTasks.claim({
        kind: 'campaigns',
        now: NOW,
        leaseUntil: NOW + 5_000,
        limit: 9,
      });
      expect(claimed.map(({ id }) => id)).toEqual(['1']);
      // The hundred were one more than the first.
      await eventually(async () => expect(asked.length).toBeGreaterThan(1));
      await campaigns.close();
      expect(new Set(asked)).toEqual(new Set(['1']));
      expect(asked.length).toBeLessThan(100);
    });

    it('asks nothing of a store that is to be closed, and what is under way has ended before', async () => {
      await subject.stores.dueTasks.schedule([task('1', NOW + HOUR)]);
      const { campaigns, asked } = opened();
      campaigns.note(ended(1));
      campaigns.note(ended(1));
      await campaigns.close();
      expect(await subject.stores.dueTasks.nextDue('campaigns')).toBe(NOW);
      campaigns.note(ended(2));
      await pause(1_200);
      expect(asked).toEqual(['1']);
    });

    it('is not lost while the campaign is being looked at', async () => {
      const { dueTasks } = subject.stores;
      await dueTasks.schedule([task('1', NOW)]);
      const [claimed] = await dueTasks.claim({ kind: 'campaigns', now: NOW, leaseUntil: NOW + 5_000, limit: 1 });
      const { campaigns, asked } = opened();
      campaigns.note(ended(1));
      await eventually(async () => expect(asked).not.toEqual([]));
      await dueTasks.finish(claimed!, { dueAt: NOW + HOUR });
      await untilDue(NOW);
      expect(asked.length).toBeGreaterThan(1);
    });
  });

  describe('TaskWakes.hasten', () => {
    const subject = freshEngine(open);

    it('makes a task due that would be later, and leaves one alone that is due soon, given up or not there', async () => {
      const { dueTasks, taskWakes } = subject.stores;
      const key = { kind: 'campaigns', id: '1' };
      expect(await taskWakes.hasten(key, NOW)).toBe(true);
      await dueTasks.schedule([task('1', NOW + 1_000)]);
      expect([await taskWakes.hasten(key, NOW), await dueTasks.nextDue('campaigns')]).toEqual([true, NOW + 1_000]);
      const [claimed] = await dueTasks.claim({ kind: 'campaigns', now: NOW + HOUR, leaseUntil: NOW + HOUR, limit: 1 });
      expect(await taskWakes.hasten(key, NOW)).toBe(false);
      await dueTasks.finish(claimed!, { dueAt: NOW + HOUR });
      expect([await taskWakes.hasten(key, NOW), await dueTasks.nextDue('campaigns')]).toEqual([true, NOW]);
      await subject.crash();
      const again = await subject.stores.dueTasks.claim({ kind: 'campaigns', now: NOW, leaseUntil: NOW + 9, limit: 1 });
      expect(again).toMatchObject([{ id: '1', attempt: 2 }]);
      await subject.stores.dueTasks.giveUp(again[0]!, 'no use', NOW);
      expect(await subject.stores.taskWakes.hasten(key, NOW)).toBe(true);
      expect(await subject.stores.dueTasks.nextDue('campaigns')).toBeNull();
    });
  });
}

onEveryDriver(describeWaking);
