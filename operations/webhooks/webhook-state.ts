import type { Webhook } from '../../domain/webhooks/webhook';
import type { Stores } from '../../stores/ports';

type WebhookStores = Pick<Stores, 'webhooks' | 'deliveries'>;

/**
 * Sets a webhook active: what happens from `now` on, ms, is sent to it. Answers it as it is then; null if it is gone.
 */
export async function enableWebhook({ webhooks }: WebhookStores, id: number, now: number): Promise<Webhook | null> {
  await webhooks.enable(id, now);
  return webhooks.get(id);
}

/**
 * Sets a webhook inactive and cancels what waits for it. With `unless`, only if it has had no success and was not
 * enabled since that state was read. False if nothing changed. May be repeated.
 */
export async function disableWebhook(
  { webhooks, deliveries }: WebhookStores,
  id: number,
  unless?: Pick<Webhook, 'enabledAt' | 'lastSuccessAt'>,
): Promise<boolean> {
  const changed = await webhooks.disable(id, unless);
  // One that was inactive before may have been switched off by a process that died before it cancelled.
  if (changed || !unless) await deliveries.cancelWaiting(id);
  return changed;
}

/** Deletes a webhook and cancels what waits for it. False if the workspace has no such webhook. */
export async function deleteWebhook(
  { webhooks, deliveries }: WebhookStores,
  { workspaceId, id }: Pick<Webhook, 'workspaceId' | 'id'>,
): Promise<boolean> {
  if (!(await webhooks.delete(workspaceId, id))) return false;
  await deliveries.cancelWaiting(id);
  return true;
}
