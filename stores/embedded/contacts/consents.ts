import type { Consent } from '../../../domain/contacts/opt-in';
import { ColumnList, columns } from '../database/columns';
import type { Database } from '../database/database';

const CONSENT = new ColumnList<Consent & { contactId: number }>('contact_consents', {
  ...columns('contactId', 'at', 'source'),
  // A key may not hold NULL.
  audienceId: {
    column: 'audience_id',
    encode: (id) => id ?? 0,
    decode: (stored) => (stored as number) || null,
  },
  by: {
    column: 'given_by',
    encode: (by) => by ?? null,
    decode: (stored) => (stored as string | null) ?? undefined,
  },
});
const GIVEN = CONSENT.without('contactId');

/** Notes a consent; the same one twice is one. */
export function addConsent(db: Database, contactId: number, consent: Consent): void {
  CONSENT.insertNew(db, { contactId, ...consent });
}

/** Takes back a consent that a newer one of the same audience replaces. */
export function dropConsent(db: Database, contactId: number, audienceId: number, at: number): void {
  db.run('DELETE FROM contact_consents WHERE contact_id = ? AND at = ? AND audience_id = ?', contactId, at, audienceId);
}

/** The consents of a contact in the order in which they were given. */
export const readConsents = (db: Database, contactId: number): Consent[] =>
  GIVEN.all(db, 'WHERE contact_id = ? ORDER BY at, source, audience_id', contactId);
