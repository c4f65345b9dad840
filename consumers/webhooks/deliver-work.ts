import type { Webhook } from '../../domain/webhooks/webhook';
import { isTooLongWithoutSuccess, TROUBLED_AFTER, type DeliveryAttempt } from '../../domain/webhooks/webhook-delivery';
import { MINUTE } from '../../lib/clock';
import type { Logger } from '../../lib/logger';
import { disableWebhook } from '../../operations/webhooks/webhook-state';
import type { Stores } from '../../stores/ports';
import type { LaneWork } from '../due-work/due-work';
import type { Lanes } from '../due-work/lanes';
import { attemptDelivery, type AttemptDeps } from './attempt';
import { loadClaimed } from './load-claimed';

export interface DeliverDeps extends AttemptDeps {
  stores: AttemptDeps['stores'] & Pick<Stores, 'webhooks' | 'workspaces' | 'operatorLog'>;
  logger: Pick<Logger, 'warn'>;
  lanes: Lanes;
}

/** Delivers events to webhooks (docs/architecture.md#webhooks), each of which has its own lane. */
export const deliverWork = (deps: DeliverDeps): LaneWork<'webhook'> => ({
  lanes: deps.lanes,
  openLane: async (lane) => {
    const { stores } = deps;
    const webhookId = Number(lane);
    const webhook = await stores.webhooks.get(webhookId);
    const workspace = webhook && (await stores.workspaces.get(webhook.workspaceId));
    if (!webhook?.isActive || !workspace || workspace.suspended) return stores.deliveries.cancelWaiting(webhookId);
    return {
      workspaceId: webhook.workspaceId,
      troubled: webhook.failures >= TROUBLED_AFTER,
      begin: (tasks) => {
        const loaded = loadClaimed(stores, webhook.workspaceId, tasks);
        return async (n, signal) => {
          const sent = await attemptDelivery(deps, { ...(await loaded)[n]!, webhook, workspace, signal });
          if (sent) await report(deps, webhook, sent);
        };
      },
    };
  },
});

/** Most successes need no write: the time of the last one is kept to the minute. */
async function report(deps: DeliverDeps, webhook: Webhook, { error, at }: DeliveryAttempt): Promise<void> {
  const { failures, lastSuccessAt } = webhook;
  const success = error === null;
  const known = success && failures === 0 && lastSuccessAt !== null && at - lastSuccessAt < MINUTE;
  if (!known) await deps.stores.webhooks.report(webhook.id, { success, at });
  if (!success) await disableIfFailing(deps, webhook.id, at);
}

async function disableIfFailing({ stores, logger }: DeliverDeps, id: number, now: number): Promise<void> {
  const webhook = await stores.webhooks.get(id);
  if (!webhook?.isActive || !isTooLongWithoutSuccess(webhook, now)) return;
  if (!(await disableWebhook(stores, id, webhook))) return;
  const { workspaceId } = webhook;
  const target = `webhook ${id}: no successful delivery for three days`;
  await stores.operatorLog.append({ at: now, actor: 'kurir', action: 'webhook disable', target, workspaceId });
  logger.warn({ webhook: id, workspaceId }, 'a webhook was deactivated: no successful delivery for three days');
}
