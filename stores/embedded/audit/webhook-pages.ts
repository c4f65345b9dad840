import { deliveryIdsOf, type DeliveryRecord, type EventRecord } from '../../../domain/audit/check-webhooks';
import type { MessageEventName } from '../../../domain/engagement/signal';
import { WEBHOOK_WORK } from '../../../domain/webhooks/webhook-delivery';
import type { WebhookSnapshot } from '../../ports/audit-source';
import { TRIMMED_BEFORE } from '../webhooks/trim-deliveries';
import { WEBHOOK } from '../webhooks/webhook-store';
import type { ReadOnlyFile } from './read-only-file';

const PAGE = 500;

/** The webhooks of a workspace with their events and deliveries. Read them while the file is on hold. */
export const webhookSnapshot = (file: ReadOnlyFile, workspaceId: number): WebhookSnapshot => ({
  facts: async () => ({
    webhooks: file
      .all<object>('SELECT * FROM webhooks WHERE workspace_id = ?', workspaceId)
      .map((row) => WEBHOOK.fromRow(row)),
    trimmedBefore: readTrimmedBefore(file),
  }),
  events: () => eventPages(file, workspaceId),
  deliveries: () => deliveryPages(file, workspaceId),
});

function readTrimmedBefore(file: ReadOnlyFile): number | null {
  const stored = file.get<{ value: string }>('SELECT value FROM settings WHERE name = ?', TRIMMED_BEFORE);
  return stored ? Number(stored.value) : null;
}

async function* eventPages(file: ReadOnlyFile, workspaceId: number): AsyncGenerator<EventRecord[]> {
  interface Row {
    seq: number;
    id: string;
    event: MessageEventName;
    occurred_at: number;
    stored_at: number;
    webhooks: string | null;
  }
  for (let after = 0; ;) {
    const rows = file.all<Row>(
      `SELECT seq, id, event, occurred_at, stored_at, iif(json_valid(webhooks), webhooks, NULL) AS webhooks
       FROM webhook_events WHERE workspace_id = ? AND seq > ? ORDER BY seq LIMIT ?`,
      workspaceId,
      after,
      PAGE,
    );
    const last = rows.at(-1)?.seq;
    if (last === undefined) return;
    const events = rows.map(({ id, event, occurred_at: occurredAt, stored_at: storedAt, webhooks }) => ({
      event: { id, event, occurredAt, storedAt },
      webhooks: webhooks === null ? null : (JSON.parse(webhooks) as number[]),
    }));
    const deliveries = existing(file, events.flatMap(deliveryIdsOf));
    yield events.map((event) => ({ ...event, deliveries }));
    after = last;
  }
}

function existing(file: ReadOnlyFile, ids: readonly string[]): Set<string> {
  const sql = 'SELECT id FROM webhook_deliveries WHERE id IN (SELECT value FROM json_each(?))';
  return new Set(file.all<{ id: string }>(sql, JSON.stringify(ids)).map(({ id }) => id));
}

async function* deliveryPages(file: ReadOnlyFile, workspaceId: number): AsyncGenerator<DeliveryRecord[]> {
  interface Row {
    id: string;
    webhook_id: number;
    event_id: string;
    occurred_at: number;
    state: string;
    allowed: number;
    attempts: number | null;
    error: string | null;
    lane: string | null;
  }
  const rows = file.pages<Row>(
    PAGE,
    `SELECT d.id, d.webhook_id, d.event_id, d.occurred_at, d.state, d.allowed, t.lane,
       iif(json_valid(d.attempts), json_array_length(d.attempts), NULL) AS attempts,
       iif(json_valid(d.attempts), json_extract(d.attempts, '$[#-1].error'), NULL) AS error
     FROM webhook_deliveries d LEFT JOIN due_tasks t ON t.kind = '${WEBHOOK_WORK}' AND t.id = d.id
     WHERE d.workspace_id = ?`,
    workspaceId,
  );
  for (const page of rows) {
    yield page.map(({ id, webhook_id, event_id, occurred_at, state, allowed, attempts, error, lane }) => ({
      ...{ id, webhookId: webhook_id, eventId: event_id, occurredAt: occurred_at },
      ...{ state, allowed, attempts, succeeded: (attempts ?? 0) > 0 && error === null, lane },
    }));
  }
}
