import type { EntryTrigger } from '../../../domain/journeys/journey';
import { triggeredId } from '../../../domain/journeys/enrollment';
import type { Transaction } from '../database/commits';
import { suppressedSql } from '../contacts/suppression-store';
import { insertEnrollment } from './enrollment-fields';

/** Contacts that joined an audience, or came through its form. */
export interface Entry {
  workspaceId: number;
  contactIds: readonly number[];
  trigger: EntryTrigger;
  audienceId: number;
  at: number;
}

/**
 * Enters contacts into the active journeys that the trigger starts, in the commit of the join itself
 * (docs/architecture.md#journeys). Those that are not subscribed, are suppressed or entered before stay out. A journey
 * on forms without an audience takes those of every form. Returns the number of enrollments.
 */
export function enterJourneys(tx: Transaction, { workspaceId, contactIds, trigger, audienceId, at }: Entry): number {
  const { db } = tx;
  const journeys = db.all<{ id: number; version: number }>(
    `SELECT id, version FROM journeys WHERE status = 'active' AND workspace_id = ? AND trigger_type = ?
       AND (audience_id = ? OR audience_id IS NULL) ORDER BY id`,
    workspaceId,
    trigger,
    audienceId,
  );
  if (journeys.length === 0) return 0;
  let entered = 0;
  for (const contactId of contactIds) {
    const may = db.get(
      `SELECT 1 FROM contacts c WHERE c.id = ?2 AND c.workspace_id = ?1 AND c.status = 'subscribed'
         AND NOT ${suppressedSql('?1', 'c.email_hash')}`,
      workspaceId,
      contactId,
    );
    if (may === undefined) continue;
    for (const { id: journeyId, version } of journeys) {
      const id = triggeredId(journeyId, contactId, at);
      if (insertEnrollment(tx, { id, workspaceId, journeyId, version, contactId }, at)) entered += 1;
    }
  }
  return entered;
}
