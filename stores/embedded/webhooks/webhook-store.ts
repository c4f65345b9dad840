import type { Webhook } from '../../../domain/webhooks/webhook';
import type { MessageEventName } from '../../../domain/engagement/signal';
import type { NewWebhook, WebhookStore } from '../../ports/webhook-store';
import { LAST_SUCCESS_STEP } from '../../shared/last-success';
import { ColumnList, columns, flagColumn, type CodedColumn } from '../database/columns';
import type { Commits } from '../database/commits';
import type { Database } from '../database/database';

const eventTypes: CodedColumn<MessageEventName[]> = {
  column: 'event_types',
  encode: (names) => names.join(','),
  decode: (stored) => (stored as string).split(',').filter(Boolean) as MessageEventName[],
};
/** The columns of a webhook. */
export const WEBHOOK = new ColumnList<Webhook>('webhooks', {
  ...columns('id', 'workspaceId', 'url', 'secretSealed', 'createdAt', 'enabledAt', 'lastSuccessAt', 'failures'),
  eventTypes,
  isActive: flagColumn('is_active'),
});
const NEW = WEBHOOK.without('id');

/** Embedded driver of WebhookStore. */
export function webhookStore(db: Database, commits: Commits): WebhookStore {
  return {
    create: (webhook, limit) => commits.write(() => createWebhook(db, webhook, limit)),
    list: async (workspaceId) => webhooksOf(db, workspaceId),
    get: async (id) => WEBHOOK.get(db, 'WHERE id = ?', id),
    delete: (workspaceId, id) =>
      commits.write(() => db.run('DELETE FROM webhooks WHERE id = ? AND workspace_id = ?', id, workspaceId) > 0),
    enable: (id, now) =>
      commits.write(
        () => db.run('UPDATE webhooks SET is_active = 1, enabled_at = ?, failures = 0 WHERE id = ?', now, id) === 1,
      ),
    disable: (id, unless) =>
      commits.write(() => {
        const off = 'UPDATE webhooks SET is_active = 0 WHERE id = ? AND is_active = 1';
        if (!unless) return db.run(off, id) === 1;
        const same = `${off} AND enabled_at = ? AND last_success_at IS ?`;
        return db.run(same, id, unless.enabledAt, unless.lastSuccessAt) === 1;
      }),
    restart: (workspaceId, now) =>
      commits.write(() => void db.run('UPDATE webhooks SET enabled_at = ? WHERE workspace_id = ?', now, workspaceId)),
    report: (id, { success, at }) => commits.write(() => report(db, id, success, at)),
  };
}

const webhooksOf = (db: Database, workspaceId: number): Webhook[] =>
  WEBHOOK.all(db, 'WHERE workspace_id = ? ORDER BY id', workspaceId);

/** The active webhooks of a workspace, in order of their ids. */
export const activeWebhooks = (db: Database, workspaceId: number): Webhook[] =>
  webhooksOf(db, workspaceId).filter(({ isActive }) => isActive);

function report(db: Database, id: number, success: boolean, at: number): void {
  if (!success) db.run('UPDATE webhooks SET failures = failures + 1 WHERE id = ?', id);
  else {
    db.run(
      `UPDATE webhooks SET last_success_at = ?1, failures = 0
       WHERE id = ?2 AND (failures > 0 OR last_success_at IS NULL OR last_success_at <= ?1 - ${LAST_SUCCESS_STEP})`,
      at,
      id,
    );
  }
}

/** Writes run one at a time, so this count includes every webhook created before. */
function createWebhook(db: Database, webhook: NewWebhook, limit: number): Webhook | null {
  const { n } = db.get<{ n: number }>(
    'SELECT count(*) AS n FROM webhooks WHERE workspace_id = ?',
    webhook.workspaceId,
  )!;
  if (n >= limit) return null;
  const made = { ...webhook, enabledAt: webhook.createdAt, lastSuccessAt: null, failures: 0 };
  return { id: NEW.insert(db, made), ...made };
}
