import type { Webhook } from '../../domain/webhook';

export type NewWebhook = Omit<Webhook, 'id'>;

/** Webhook subscriptions. */
export interface WebhookStore {
  /** Null if the workspace already has `limit` webhooks, even if many callers register at the same time. */
  create(webhook: NewWebhook, limit: number): Promise<Webhook | null>;
  /** Ordered by id. */
  list(workspaceId: number): Promise<Webhook[]>;
  /** False if the workspace has no such webhook. */
  delete(workspaceId: number, id: number): Promise<boolean>;
}
