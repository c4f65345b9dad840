import { MESSAGE_EVENTS, type MessageEventName } from '../engagement/signal';

/** Names a subscription may select (docs/contract.md#events). */
export const WEBHOOK_EVENTS = MESSAGE_EVENTS;

/** Maximum number of webhooks per workspace (docs/contract.md#webhook-limit). */
export const MAX_WEBHOOKS = 10;

/** A webhook subscription (docs/contract.md#webhook-subscription). */
export interface Webhook {
  id: number;
  workspaceId: number;
  url: string;
  eventTypes: MessageEventName[];
  /** The signing secret, sealed (AES-256-GCM). */
  secretSealed: string;
  isActive: boolean;
  createdAt: number;
  /** When it was created or last enabled, or its workspace was last resumed, ms. What was queued before is not sent. */
  enabledAt: number;
  /** The last successful delivery, ms, to the minute; null before the first. */
  lastSuccessAt: number | null;
  /** Failed attempts since the last success. */
  failures: number;
}

/** The sealing context of a webhook's secret: it opens only for the workspace and URL it was made for. */
export const webhookSecretContext = ({ workspaceId, url }: Pick<Webhook, 'workspaceId' | 'url'>): string =>
  `webhook:${workspaceId}:${url}`;
