import type { MessageEventName } from '../../../domain/engagement/signal';
import { MAX_WEBHOOKS, type Webhook } from '../../../domain/webhooks/webhook';
import {
  eventId,
  laneOf,
  MAX_ATTEMPTS,
  WEBHOOK_WORK,
  type MessageEvent,
  type DeliveryAttempt,
} from '../../../domain/webhooks/webhook-delivery';
import { MINUTE } from '../../../lib/clock';
import type { ClaimedTask } from '../../../stores/ports/due-tasks';
import type { DeliveryResult } from '../../../stores/ports/delivery-store';
import { aWebhook, aWorkspace, messageId } from '../../support/builders';
import { TEST_START as NOW } from '../../support/clock';
import type { Subject } from '../harness';
import { at, present } from '../helpers';

export const LEASE = MINUTE;

export const newWorkspace = async ({ stores }: Pick<Subject, 'stores'>): Promise<number> =>
  (await stores.workspaces.create(aWorkspace())).id;

/** A webhook for these events, in a new workspace unless one is given. */
export async function register(
  subject: Pick<Subject, 'stores'>,
  eventTypes: MessageEventName[] = ['delivered'],
  workspaceId?: number,
): Promise<Webhook> {
  const owner = workspaceId ?? (await newWorkspace(subject));
  return present(await subject.stores.webhooks.create(aWebhook(owner, { eventTypes }), MAX_WEBHOOKS));
}

/** An event of a new message. */
export function anEvent(workspaceId: number, fields: Partial<Omit<MessageEvent, 'id'>> = {}): MessageEvent {
  const facts = { messageId: messageId(), event: 'delivered', occurredAt: NOW, reason: null, ...fields } as const;
  return { workspaceId, link: null, ...facts, id: eventId(facts) };
}

export const claimOf = (
  { stores }: Pick<Subject, 'stores'>,
  webhookId: number,
  now = NOW,
  limit = 10,
): Promise<ClaimedTask[]> =>
  stores.dueTasks.claim({ kind: WEBHOOK_WORK, lane: laneOf(webhookId), now, leaseUntil: now + LEASE, limit });

/** The only claim that is due for the webhook. */
export const claimOne = async (subject: Pick<Subject, 'stores'>, webhookId: number, now = NOW): Promise<ClaimedTask> =>
  at(await claimOf(subject, webhookId, now), 0);

export const anAttempt = (fields: Partial<DeliveryAttempt> = {}): DeliveryAttempt => ({
  at: NOW,
  status: 500,
  error: 'The endpoint answered 500.',
  durationMs: 12,
  answer: 'no',
  ...fields,
});

export const aResult = (fields: Partial<DeliveryResult> = {}): DeliveryResult => ({
  state: 'delivered',
  attempts: [anAttempt({ status: 204, error: null, answer: null })],
  nextAt: null,
  allowed: MAX_ATTEMPTS,
  contactId: null,
  ...fields,
});
