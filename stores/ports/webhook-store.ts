import type { Webhook } from '../../domain/webhooks/webhook';

export type NewWebhook = Omit<Webhook, 'id' | 'enabledAt' | 'lastSuccessAt' | 'failures'>;

/** Webhook subscriptions. */
export interface WebhookStore {
  /** Null if the workspace already has `limit` webhooks, even if many callers register at the same time. */
  create(webhook: NewWebhook, limit: number): Promise<Webhook | null>;
  /** Ordered by id. */
  list(workspaceId: number): Promise<Webhook[]>;
  get(id: number): Promise<Webhook | null>;
  /** False if the workspace has no such webhook. */
  delete(workspaceId: number, id: number): Promise<boolean>;
  /** Makes it active. What was queued before `now` is not sent. False if there is no such webhook. */
  enable(id: number, now: number): Promise<boolean>;
  /**
   * Makes it inactive. With `unless`, only if it has had no success and was not enabled since that state was read.
   * False if nothing changed.
   */
  disable(id: number, unless?: Pick<Webhook, 'enabledAt' | 'lastSuccessAt'>): Promise<boolean>;
  /** Before a suspended workspace is resumed: what was queued before `now` is not sent to any of its webhooks. */
  restart(workspaceId: number, now: number): Promise<void>;
  /** Records the result of an attempt. A success ends the row of failures. Nothing happens if the webhook is gone. */
  report(id: number, result: { success: boolean; at: number }): Promise<void>;
}
