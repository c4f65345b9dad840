import type { MessageEventName } from '../../../domain/signal';
import type { Webhook } from '../../../domain/webhook';
import type { NewWebhook, WebhookStore } from '../../ports/webhook-store';
import type { Commits } from '../database/commits';
import type { Database } from '../database/database';

interface Row {
  id: number;
  workspace_id: number;
  url: string;
  event_types: string;
  secret_sealed: string;
  is_active: number;
  created_at: number;
}

const toWebhook = (row: Row): Webhook => ({
  id: row.id,
  workspaceId: row.workspace_id,
  url: row.url,
  eventTypes: row.event_types.split(',').filter(Boolean) as MessageEventName[],
  secretSealed: row.secret_sealed,
  isActive: row.is_active === 1,
  createdAt: row.created_at,
});

/** Embedded driver of WebhookStore. */
export function webhookStore(db: Database, commits: Commits): WebhookStore {
  return {
    create: (webhook, limit) => commits.write(() => createWebhook(db, webhook, limit)),
    list: async (workspaceId) =>
      db.all<Row>('SELECT * FROM webhooks WHERE workspace_id = ? ORDER BY id', workspaceId).map(toWebhook),
    delete: (workspaceId, id) =>
      commits.write(() => db.run('DELETE FROM webhooks WHERE id = ? AND workspace_id = ?', id, workspaceId) > 0),
  };
}

/** Writes run one at a time, so this count includes every webhook created before. */
function createWebhook(db: Database, webhook: NewWebhook, limit: number): Webhook | null {
  const { n } = db.get<{ n: number }>(
    'SELECT count(*) AS n FROM webhooks WHERE workspace_id = ?',
    webhook.workspaceId,
  )!;
  if (n >= limit) return null;
  const id = db.insert(
    `INSERT INTO webhooks (workspace_id, url, event_types, secret_sealed, is_active, created_at) VALUES (?, ?, ?, ?, ?, ?)`,
    webhook.workspaceId,
    webhook.url,
    webhook.eventTypes.join(','),
    webhook.secretSealed,
    webhook.isActive ? 1 : 0,
    webhook.createdAt,
  );
  return { ...webhook, id };
}
