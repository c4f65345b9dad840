import type { ClientSession } from 'mongodb';
import type { LedgerEntry } from '../../../domain/ledger/coins';
import type { PostOutcome } from '../../ports/coin-ledger';
import { book, gateKey, ledgerKey, type Booking, type Books } from './booking';
import { lookAtOnce } from '../database/wake-at-once';
import type { Mongo } from '../database/client';
import type { Attempt } from '../transactions/contention';
import { documents, type AccountDocument } from '../database/documents';
import { transact } from '../transactions/transact';

/**
 * Books entries of one workspace in one transaction: the rows, the gates and the balance. Every booking and every claim
 * writes the account, so when two run at once, one conflicts and retries. On the retry it locks the account before it
 * reads. Then it conflicts only with a holder at that moment, not with every commit during its reads.
 */
export function postEntries(
  mongo: Mongo,
  workspaceId: number,
  entries: readonly LedgerEntry[],
  how: Attempt,
): Promise<readonly PostOutcome[]> {
  let readAccount = findAccount;
  const attempt = async (session: ClientSession): Promise<readonly PostOutcome[]> => {
    const account = await readAccount(mongo, session, workspaceId);
    readAccount = lockAccount;
    const booking = book(await readBooks(mongo, session, account, entries), entries);
    if (booking.rows.length > 0) await write(mongo, session, booking);
    // Its rate or its day may have grown.
    if (booking.purchased) await lookAtOnce(mongo, session, workspaceId);
    return booking.outcomes;
  };
  return transact(mongo, attempt, how);
}

const noAccount = (_id: number): AccountDocument => ({ _id, balance: 0, seq: 0 });

async function findAccount({ db }: Mongo, session: ClientSession, _id: number): Promise<AccountDocument> {
  return (await documents(db, 'accounts').findOne({ _id }, { session })) ?? noAccount(_id);
}

/** Reads the account by a write: others conflict from here on. */
async function lockAccount({ db }: Mongo, session: ClientSession, _id: number): Promise<AccountDocument> {
  const how = { session, returnDocument: 'after' } as const;
  return (await documents(db, 'accounts').findOneAndUpdate({ _id }, { $inc: { touched: 1 } }, how)) ?? noAccount(_id);
}

async function readBooks(
  { db }: Mongo,
  session: ClientSession,
  account: AccountDocument,
  entries: readonly LedgerEntry[],
): Promise<Books> {
  const { _id: workspaceId } = account;
  const rows = await documents(db, 'ledger')
    .find({ _id: { $in: entries.map(({ id }) => ledgerKey(workspaceId, id)) } }, { session, projection: { _id: 1 } })
    .toArray();
  const keys = entries.flatMap(({ gate }) => (gate ? [gateKey(workspaceId, gate.key)] : []));
  const gates =
    keys.length === 0
      ? []
      : await documents(db, 'gates')
          .find({ _id: { $in: keys } }, { session })
          .toArray();
  return {
    account,
    booked: new Set(rows.map(({ _id }) => _id)),
    gates: new Map(gates.map(({ _id, at }) => [_id, at])),
  };
}

/** Writes the account first: a conflict shows before anything else is written. */
async function write({ db }: Mongo, session: ClientSession, { account, gates, rows }: Booking): Promise<void> {
  await documents(db, 'accounts').replaceOne({ _id: account._id }, account, { session, upsert: true });
  if (gates.size > 0) {
    await documents(db, 'gates').bulkWrite(
      [...gates].map(([_id, at]) => ({
        replaceOne: { filter: { _id }, replacement: { workspaceId: account._id, at }, upsert: true },
      })),
      { session },
    );
  }
  await documents(db, 'ledger').insertMany(rows, { session });
}
