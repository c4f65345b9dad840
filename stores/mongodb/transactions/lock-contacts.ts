import type { ClientSession, Db } from 'mongodb';
import { documents } from '../database/documents';
import { compareAndSet, expectMatched } from '../database/writes';

const TOUCH = { $inc: { touched: 1 } };

/** Makes a deletion of these contacts at the same time conflict; an earlier one shows in the count. */
export async function lockContacts(db: Db, session: ClientSession, ids: ReadonlySet<number>): Promise<void> {
  if (ids.size === 0) return;
  const touched = await documents(db, 'contacts').updateMany({ _id: { $in: [...ids] } }, TOUCH, { session });
  expectMatched(touched, ids.size, 'A contact was deleted in the meantime.');
}

/** As `lockContacts`, of one; false when it was deleted before. */
export const touchContact = (
  db: Db,
  session: ClientSession,
  contact: { _id: number; workspaceId?: number },
): Promise<boolean> => compareAndSet(documents(db, 'contacts'), contact, TOUCH, { session });
