import type { CoinAccount, LedgerEntry } from '../../../domain/ledger/coins';
import type { CoinLedger, LedgerRow, PostOutcome } from '../../ports/coin-ledger';
import { ledgerKey } from './booking';
import { mapAll, pageAfter } from '../database/reads';
import type { Mongo } from '../database/client';
import { documents, type AccountDocument, type LedgerDocument } from '../database/documents';
import { guarded } from '../transactions/guard';
import type { GroupedBy } from '../transactions/grouped-by';

/** The CoinAccount of a document; without a document there are no coins. */
export function toAccount(workspaceId: number, found: AccountDocument | null): CoinAccount {
  if (!found) return { workspaceId, balance: 0 };
  const account: CoinAccount = { workspaceId, balance: found.balance };
  if (found.purchase) account.purchase = found.purchase;
  return account;
}

const toRow = ({ _id, workspaceId, kind, amount, messageId, at }: LedgerDocument): LedgerRow => ({
  id: _id.slice(_id.indexOf(':') + 1),
  workspaceId,
  kind,
  amount,
  messageId,
  at,
});
const toNumbered = (document: LedgerDocument) => ({ ...toRow(document), seq: document.seq });

/** MongoDB driver of CoinLedger. `posts` books the posted entries, grouped by workspace. */
export function coinLedger(mongo: Mongo, posts: GroupedBy<number, LedgerEntry, PostOutcome>): CoinLedger {
  const ledger = documents(mongo.db, 'ledger');
  return guarded<CoinLedger>({
    account: async (workspaceId) =>
      toAccount(workspaceId, await documents(mongo.db, 'accounts').findOne({ _id: workspaceId })),
    post: (entry) => posts.submit(entry.workspaceId, entry),
    // The ids of a message's rows start with one of three prefixes, so `_id` serves and needs no further index.
    ofMessage: async (workspaceId, messageId) => {
      const ranges = ['debit', 'refund', 'penalty'].map((kind) => ({
        _id: {
          $gte: ledgerKey(workspaceId, `${kind}:${messageId}`),
          $lt: ledgerKey(workspaceId, `${kind}:${messageId};`),
        },
      }));
      const rows = await ledger.find({ $or: ranges }).toArray();
      return rows.sort((a, b) => a.at - b.at || a.seq - b.seq).map(toRow);
    },
    newest: (workspaceId, limit, before) =>
      mapAll(
        ledger
          .find({ workspaceId, ...(before === undefined ? {} : { seq: { $lt: before } }) })
          .sort({ seq: -1 })
          .limit(limit),
        toNumbered,
      ),
    rows: (workspaceId, after, limit) => mapAll(pageAfter(ledger, { workspaceId }, ['seq', after], limit), toNumbered),
  });
}
