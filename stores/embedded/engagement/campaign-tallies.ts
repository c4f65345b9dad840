import { addTallies, isNoTally, NO_TALLY, tallyPeople, tallySignal } from '../../../domain/campaigns/campaign-tally';
import type { PeopleChange } from '../../../domain/engagement/engagement';
import type { HitKind } from '../../../domain/engagement/machine';
import type { Signal } from '../../../domain/engagement/signal';
import type { Database } from '../database/database';

/** See countSignal. */
export function tallyForCampaign(db: Database, messageId: string, signal: Signal | null, people: PeopleChange): void {
  const campaignId = db.get<{ id: number }>(
    `SELECT m.campaign_id AS id FROM messages m JOIN contacts c ON c.id = m.contact_id
     WHERE m.id = ? AND m.lane = 'campaign' AND m.campaign_id IS NOT NULL`,
    messageId,
  )?.id;
  if (campaignId === undefined) return;
  const own = signal ? tallySignal(signal.kind, kindsBefore(db, signal)) : NO_TALLY;
  const tally = addTallies(own, tallyPeople(people.before, people.after));
  if (isNoTally(tally)) return;
  db.run(
    `UPDATE campaigns SET opens = opens + ?, clicks = clicks + ?, unsubscribes = unsubscribes + ?,
       opens_by_people = opens_by_people + ?, clicks_by_people = clicks_by_people + ? WHERE id = ?`,
    tally.opens,
    tally.clicks,
    tally.unsubscribes,
    tally.opensByPeople,
    tally.clicksByPeople,
    campaignId,
  );
}

function kindsBefore(db: Database, { id, messageId }: Signal): Set<HitKind> {
  const found = db.all<{ kind: HitKind }>(
    'SELECT DISTINCT kind FROM signals WHERE message_id = ? AND id <> ?',
    messageId,
    id,
  );
  return new Set(found.map(({ kind }) => kind));
}
