import type { ClientSession, Db } from 'mongodb';
import type { Consent } from '../../../domain/contacts/opt-in';
import { documents, type ConsentDocument } from '../database/documents';

/** A consent of a contact to note, and the time of an earlier one of the same audience that it replaces; null: none. */
export interface NewConsent extends Consent {
  contactId: number;
  replaces: number | null;
}

const toDocument = ({ contactId, at, source, audienceId, by }: NewConsent): ConsentDocument => ({
  _id: `${contactId}:${at}:${source}:${audienceId ?? 0}`,
  contactId,
  at,
  source,
  audienceId,
  ...(by !== undefined && { by }),
});

/** Notes consents, in order; the same one twice is one. */
export async function writeConsents(db: Db, session: ClientSession, consents: readonly NewConsent[]): Promise<void> {
  if (consents.length === 0) return;
  const writes = consents.flatMap((consent) => {
    const { _id, ...fields } = toDocument(consent);
    const { contactId, audienceId, replaces } = consent;
    const insert = { updateOne: { filter: { _id }, update: { $setOnInsert: fields }, upsert: true } };
    return replaces === null ? [insert] : [{ deleteMany: { filter: { contactId, audienceId, at: replaces } } }, insert];
  });
  await documents(db, 'contactConsents').bulkWrite(writes, { session });
}

/** The consents of a contact in the order in which they were given. */
export async function readConsents(db: Db, contactId: number): Promise<Consent[]> {
  const found = await documents(db, 'contactConsents').find({ contactId }).sort({ at: 1 }).toArray();
  return found.map(({ at, source, audienceId, by }) => ({ at, source, audienceId, ...(by !== undefined && { by }) }));
}
