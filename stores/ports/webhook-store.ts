import type { Webhook } from '../../domain/webhook';

export type NewWebhook = Omit<Webhook, 'id'>;

/** Webhook subscriptions. */
export interface WebhookStore {
  /** Null when the workspace has `limit` of them already, also when many callers register at once. */
  create(webhook: NewWebhook, limit: number): Promise<Webhook | null>;
  /** Ordered by id. */
  list(workspaceId: number): Promise<Webhook[]>;
  /** False when the workspace has no such webhook. */
  delete(workspaceId: number, id: number): Promise<boolean>;
}
