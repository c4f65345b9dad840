import type { Consent, ConsentSource } from '../../../domain/contacts/opt-in';
import type { Database } from '../database/database';

/** Notes a consent; the same one twice is one. */
export function addConsent(db: Database, contactId: number, { at, source, audienceId }: Consent): void {
  db.run(
    'INSERT OR IGNORE INTO contact_consents (contact_id, at, source, audience_id) VALUES (?, ?, ?, ?)',
    contactId,
    at,
    source,
    audienceId ?? 0,
  );
}

/** Takes back a consent that a newer one of the same audience replaces. */
export function dropConsent(db: Database, contactId: number, audienceId: number, at: number): void {
  db.run('DELETE FROM contact_consents WHERE contact_id = ? AND at = ? AND audience_id = ?', contactId, at, audienceId);
}

/** The consents of a contact in the order in which they were given. */
export function readConsents(db: Database, contactId: number): Consent[] {
  return db
    .all<{ at: number; source: ConsentSource; audience_id: number }>(
      'SELECT at, source, audience_id FROM contact_consents WHERE contact_id = ? ORDER BY at, source, audience_id',
      contactId,
    )
    .map(({ at, source, audience_id: audienceId }) => ({ at, source, audienceId: audienceId || null }));
}
