import { isTooLongWithoutSuccess, TROUBLED_AFTER, WEBHOOK_WORK } from '../../domain/webhooks/webhook-delivery';
import type { Webhook } from '../../domain/webhooks/webhook';
import { MINUTE } from '../../lib/clock';
import type { Logger } from '../../lib/logger';
import type { Stores } from '../../stores/ports';
import { attemptDelivery, type AttemptDeps, type AttemptOutcome } from './attempt';
import { LaneWorker, type LaneDeps } from './lane-worker';
import { loadClaimed } from './load-claimed';

export interface DelivererDeps extends AttemptDeps, Omit<LaneDeps, 'stores' | 'clock' | 'logger'> {
  stores: AttemptDeps['stores'] & Pick<Stores, 'dueTasks' | 'webhooks' | 'workspaces' | 'operatorLog'>;
  logger: Pick<Logger, 'error' | 'warn'>;
}

/** Delivers events to webhooks (docs/architecture.md#webhooks), each of which has its own lane. */
export class Deliverer extends LaneWorker<DelivererDeps> {
  constructor(deps: DelivererDeps) {
    super(deps, { kind: WEBHOOK_WORK, name: 'webhooks', one: 'webhook' });
  }

  protected async startLane(lane: string, now: number): Promise<number> {
    const webhookId = Number(lane);
    if (!this.hasRoom(webhookId)) return 0;
    const { stores } = this.deps;
    const webhook = await stores.webhooks.get(webhookId);
    const workspace = webhook && (await stores.workspaces.get(webhook.workspaceId));
    if (!webhook?.isActive || !workspace || workspace.suspended) return stores.deliveries.cancelWaiting(webhookId);
    const troubled = webhook.failures >= TROUBLED_AFTER;
    return this.claimAndRun(webhook, { lane, now, troubled }, (tasks) => {
      const loaded = loadClaimed(stores, webhook.workspaceId, tasks);
      return async (n, signal) => {
        const outcome = await attemptDelivery(this.deps, { ...(await loaded)[n]!, webhook, workspace, signal });
        if (outcome) await this.report(webhook, outcome);
      };
    });
  }

  /** Most successes need no write: the time of the last one is kept to the minute. */
  private async report(webhook: Webhook, { success, at }: AttemptOutcome): Promise<void> {
    const { webhooks } = this.deps.stores;
    const { failures, lastSuccessAt } = webhook;
    const known = success && failures === 0 && lastSuccessAt !== null && at - lastSuccessAt < MINUTE;
    if (!known) await webhooks.report(webhook.id, { success, at });
    if (!success) await this.disableIfFailing(webhook.id, at);
  }

  private async disableIfFailing(id: number, now: number): Promise<void> {
    const { stores, logger } = this.deps;
    const webhook = await stores.webhooks.get(id);
    if (!webhook?.isActive || !isTooLongWithoutSuccess(webhook, now)) return;
    if (!(await stores.webhooks.disable(id, webhook))) return;
    const { workspaceId } = webhook;
    const target = `webhook ${id}: no delivery has succeeded for three days`;
    await stores.operatorLog.append({ at: now, actor: 'kurir', action: 'webhook disable', target, workspaceId });
    logger.warn({ webhook: id, workspaceId }, 'a webhook was set inactive: no delivery has succeeded for three days');
    await stores.deliveries.cancelWaiting(id);
  }
}
