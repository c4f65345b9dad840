import { describe, expect, it } from '@jest/globals';
import { runAudit } from '../../operations/audit/run-audit';
import type { Difference } from '../../domain/audit/difference';
import { MAX_WEBHOOKS, type Webhook } from '../../domain/webhooks/webhook';
import {
  newDelivery,
  WEBHOOK_WORK,
  type MessageEvent,
  type WebhookDelivery,
} from '../../domain/webhooks/webhook-delivery';
import { DAY, HOUR } from '../../lib/clock';
import { cancelForWorkspace } from '../../operations/webhooks/cancel-for-workspace';
import { replayStep, retryDelivery, sendTest } from '../../operations/webhooks/redeliver';
import { aWebhook } from '../support/builders';
import { TEST_START as NOW } from '../support/clock';
import { anAttempt, anEvent, aResult, claimOf, claimOne, newWorkspace, register } from './delivery-store/support';
import { freshEngine, type OpenEngine, type Subject } from './harness';
import { at, present } from './helpers';

/** Everything the audit finds. */
async function audited(subject: Subject): Promise<{ found: Difference[]; checked: Record<string, number> }> {
  const found: Difference[] = [];
  const options = { onDifference: (difference: Difference) => void found.push(difference), patience: 0 };
  const { checked } = await runAudit(await subject.audit(), options);
  return { found, checked: { ...checked } };
}

const shortly = ({ rule, subject, expected, found }: Difference): string =>
  `${rule} ${subject}: ${expected} / ${found}`;

/** An event that the webhook got a delivery of. */
async function queued(subject: Subject, webhook: Webhook, ms = HOUR): Promise<[MessageEvent, WebhookDelivery]> {
  const event = anEvent(webhook.workspaceId, { occurredAt: NOW + ms });
  await subject.stores.deliveries.fanOut(event, NOW + ms);
  return [event, at(await subject.stores.deliveries.ofMessage(event.messageId), 0)];
}

const fiveFailures = Array.from({ length: 5 }, () => anAttempt());

function describeCorrect(open: OpenEngine): void {
  describe('finds nothing', () => {
    const subject = freshEngine(open);

    it('whatever became of a delivery, and whenever its webhook was there', async () => {
      const { deliveries, webhooks } = subject.stores;
      const workspaceId = await newWorkspace(subject);
      const early = anEvent(workspaceId, { occurredAt: NOW - DAY });
      await deliveries.fanOut(early, NOW - DAY);
      const webhook = await register(subject, ['delivered'], workspaceId);
      await queued(subject, webhook);
      const delivered = await claimOne(subject, webhook.id, NOW + HOUR);
      await deliveries.finish(delivered, aResult());
      await queued(subject, webhook);
      const failed = await claimOne(subject, webhook.id, NOW + HOUR);
      await deliveries.finish(failed, aResult({ state: 'given_up', attempts: fiveFailures }));
      await retryDelivery(subject.stores, webhook, failed.id, NOW + HOUR);
      await queued(subject, webhook);
      await claimOf(subject, webhook.id, NOW + HOUR);
      await webhooks.disable(webhook.id);
      await deliveries.cancelWaiting(webhook.id);
      await deliveries.fanOut(anEvent(workspaceId, { occurredAt: NOW + 2 * HOUR }), NOW + 2 * HOUR);
      await webhooks.enable(webhook.id, NOW + 3 * HOUR);
      const gone = await register(subject, ['delivered'], workspaceId);
      await queued(subject, webhook, 4 * HOUR);
      await webhooks.delete(workspaceId, gone.id);
      await deliveries.cancelWaiting(gone.id);
      const range = { from: NOW - 2 * DAY, to: NOW + DAY, names: ['delivered'] } as const;
      await replayStep(subject.stores, webhook, range, null, NOW + 5 * HOUR);
      await sendTest(subject.stores, webhook, 'x', NOW + 5 * HOUR);
      const { found, checked } = await audited(subject);
      expect(found).toEqual([]);
      expect(checked).toMatchObject({ webhook_events: 6, webhook_deliveries: 8 });
    });

    it('when deliveries were deleted for their age before their events, or the event came again', async () => {
      const { deliveries } = subject.stores;
      const webhook = await register(subject);
      const [event] = await queued(subject, webhook);
      await deliveries.finish(await claimOne(subject, webhook.id, NOW + HOUR), aResult());
      await deliveries.trim({ events: NOW + DAY, deliveries: 0 }, 10);
      expect(await deliveries.fanOut(event, NOW + DAY)).toBe(true);
      expect(await audited(subject)).toMatchObject({ found: [], checked: { webhook_deliveries: 1 } });
      await deliveries.trim({ events: 0, deliveries: NOW + 2 * HOUR }, 10);
      await deliveries.trim({ events: 0, deliveries: NOW }, 10);
      expect((await audited(subject)).checked).toMatchObject({ webhook_events: 1, webhook_deliveries: 0 });
      expect((await audited(subject)).found).toEqual([]);
    });
  });
}

function describeFaults(open: OpenEngine): void {
  describe('names', () => {
    const subject = freshEngine(open);
    const finds = async (...expected: string[]): Promise<void> =>
      expect((await audited(subject)).found.map(shortly).sort()).toEqual(expected.sort());

    it('an event that was stored without a delivery for an active webhook', async () => {
      const webhook = await register(subject);
      const [event] = await queued(subject, webhook);
      const before = aWebhook(webhook.workspaceId, { createdAt: NOW });
      const other = present(await subject.stores.webhooks.create(before, MAX_WEBHOOKS));
      const since = '2026-01-05T03:00:00.000Z';
      await finds(
        `webhook-event ${event.id}: delivered: a delivery to webhook ${other.id}, active since ${since} / none, stored at 2026-01-05T04:00:00.000Z`,
      );
    });

    it('a second delivery of an event to a webhook', async () => {
      const webhook = await register(subject);
      const [event, { id }] = await queued(subject, webhook);
      const second = { ...newDelivery(event, webhook, NOW), id: 'whd_second' };
      await subject.stores.deliveries.enqueue([second], 0, NOW + HOUR);
      await finds(`webhook-once whd_second: ${id}, of event ${event.id} and webhook ${webhook.id} / whd_second`);
    });

    it('a sixth attempt, and the end of a delivery that its attempts do not lead to', async () => {
      const { deliveries } = subject.stores;
      const webhook = await register(subject);
      const end = async (result: Parameters<typeof aResult>[0]): Promise<string> => {
        const [, { id }] = await queued(subject, webhook);
        await deliveries.finish(await claimOne(subject, webhook.id, NOW + HOUR), aResult(result));
        return id;
      };
      const six = await end({ state: 'given_up', attempts: [...fiveFailures, anAttempt()] });
      const failed = await end({ attempts: [anAttempt()] });
      const early = await end({ state: 'given_up', attempts: [anAttempt()] });
      await finds(
        `webhook-attempts ${six}: at most 5 / 6`,
        `webhook-attempts ${failed}: delivered: a last attempt that succeeded / none`,
        `webhook-attempts ${early}: given_up: 5 attempts, the last one failed / 1 attempts`,
      );
    });

    it('a delivery that waits without its due task, and a due task of one that does not wait or does not exist', async () => {
      const { deliveries, dueTasks } = subject.stores;
      const webhook = await register(subject);
      const [, done] = await queued(subject, webhook);
      await deliveries.finish(await claimOne(subject, webhook.id, NOW + HOUR), aResult());
      const [, waiting] = await queued(subject, webhook);
      await dueTasks.cancel(WEBHOOK_WORK, { id: waiting.id });
      const task = {
        kind: WEBHOOK_WORK,
        workspaceId: webhook.workspaceId,
        lane: '77',
        dueAt: NOW,
        payload: {},
      } as const;
      await dueTasks.schedule([
        { ...task, id: done.id },
        { ...task, id: 'whd_none' },
      ]);
      await finds(
        `webhook-task ${waiting.id}: waiting: a due task in lane ${webhook.id} / no due task`,
        `webhook-task ${done.id}: delivered: no due task / a due task in lane 77`,
        'webhook-task due task whd_none: a waiting delivery / none',
      );
    });
  });
}

/** What the audit says of webhooks, on every driver. */
export function describeWebhookAudit(open: OpenEngine): void {
  describe('the audit of webhooks', () => {
    describeCorrect(open);
    describeFaults(open);
  });
}

/** Suspending a workspace, on every driver. */
export function describeWebhooksOfWorkspace(open: OpenEngine): void {
  describe('suspending a workspace', () => {
    const subject = freshEngine(open);

    // spec: docs/contract.md#cancelled-deliveries: suspended, and switched off: for good
    it('ends what waits for each of its webhooks, also under way, and nothing of others', async () => {
      const { deliveries, webhooks, workspaces } = subject.stores;
      const first = await register(subject);
      const { workspaceId } = first;
      const second = await register(subject, ['delivered'], workspaceId);
      const theirs = await register(subject);
      for (const owner of [workspaceId, theirs.workspaceId]) await deliveries.fanOut(anEvent(owner), NOW);
      const held = await claimOne(subject, first.id);
      await workspaces.update(workspaceId, { suspended: true });
      await cancelForWorkspace(subject.stores, workspaceId);
      expect(await deliveries.finish(held, aResult())).toBe(false);
      await webhooks.restart(workspaceId, NOW + 1);
      await workspaces.update(workspaceId, { suspended: false });
      for (const { id } of [first, second]) {
        expect(await claimOf(subject, id, NOW + DAY)).toEqual([]);
        expect((await deliveries.list(id, { offset: 0, limit: 9 })).items).toMatchObject([{ state: 'cancelled' }]);
      }
      expect(await claimOf(subject, theirs.id)).toHaveLength(1);
      expect((await audited(subject)).found).toEqual([]);
    });
  });
}
