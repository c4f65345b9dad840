import { tallySignal } from '../../../domain/campaign-tally';
import type { Signal, SignalKind } from '../../../domain/signal';
import type { Database } from '../database/database';

/**
 * Counts a signal for the campaign of its message. The same transaction has just stored it for the first time. A signal
 * of a deleted contact is not counted.
 */
export function tallyForCampaign(db: Database, { id, messageId, kind }: Signal): void {
  const campaignId = db.get<{ id: number }>(
    `SELECT m.campaign_id AS id FROM messages m JOIN contacts c ON c.id = m.contact_id
     WHERE m.id = ? AND m.lane = 'campaign' AND m.campaign_id IS NOT NULL`,
    messageId,
  )?.id;
  if (campaignId === undefined) return;
  const earlier = db.all<{ kind: SignalKind }>(
    'SELECT DISTINCT kind FROM signals WHERE message_id = ? AND id <> ?',
    messageId,
    id,
  );
  const { opens, clicks, unsubscribes } = tallySignal(kind, new Set(earlier.map((signal) => signal.kind)));
  if (opens + clicks + unsubscribes === 0) return;
  db.run(
    `UPDATE campaigns SET opens = opens + ?, clicks = clicks + ?, unsubscribes = unsubscribes + ? WHERE id = ?`,
    opens,
    clicks,
    unsubscribes,
    campaignId,
  );
}
