import {
  checkDelivery,
  checkWebhookEvent,
  deliveryIdsOf,
  type DeliveryRecord,
  type EventRecord,
} from '../../domain/audit/check-webhooks';
import { readAttempts } from '../../domain/audit/stored-json';
import { WEBHOOK_WORK } from '../../domain/webhooks/webhook-delivery';
import type { AuditSnapshot } from '../../stores/ports/audit-source';
import type { AuditFindings } from './audit-findings';
import { allOf, byKey, find } from './rows';

/** Holds the deliveries of a workspace against its events, and against the due work that makes them. */
export async function auditWebhooks(rows: AuditSnapshot, workspaceId: number, findings: AuditFindings): Promise<void> {
  const { deliveriesTrimmedBefore: trimmedBefore } = await rows.settings();
  const facts = { webhooks: await allOf(rows.scan('webhooks', workspaceId)), trimmedBefore };
  await findings.check('webhook_events', eventRecords(rows, workspaceId), (event) => checkWebhookEvent(event, facts));
  await findings.check('webhook_deliveries', deliveryRecords(rows, workspaceId), checkDelivery);
}

/** The events of a workspace in the order of its feed, with those of their deliveries that exist. */
export async function* eventRecords(rows: AuditSnapshot, workspaceId: number): AsyncGenerator<EventRecord[]> {
  for await (const page of rows.scan('events', workspaceId)) {
    const events = page.map(({ webhooks, ...event }) => ({ event, webhooks }));
    const stored = await find(rows, 'deliveries', 'id', events.flatMap(deliveryIdsOf));
    const deliveries = new Set(stored.map(({ id }) => id));
    yield events.map((event) => ({ ...event, deliveries }));
  }
}

/** The deliveries of a workspace, also those to webhooks that were deleted, with their due tasks. */
export async function* deliveryRecords(rows: AuditSnapshot, workspaceId: number): AsyncGenerator<DeliveryRecord[]> {
  for await (const page of rows.scan('deliveries', workspaceId)) {
    const keys = page.map(({ id }) => [WEBHOOK_WORK, id] as const);
    const tasks = byKey(await find(rows, 'tasks', 'key', keys), ({ id }) => id);
    yield page.map((row) => ({
      ...row,
      ...readAttempts(row.attempts),
      lane: tasks.get(row.id)?.lane ?? null,
    }));
  }
}
