import { erasedOrder, type Conversion } from '../../../domain/conversions/conversion';
import { conversionTask, reportedRecord, shownClickOwner } from '../../shared/conversion-facts';
import type { ConversionStore } from '../../ports/conversion-store';
import type { Commits, Transaction } from '../database/commits';
import type { Database } from '../database/database';
import { scheduleTasks } from '../queue/schedule-tasks';
import { CONVERSION, listConversions, listConversionsAfter, readConversion, sumOfJourney } from './conversion-fields';
import { clicksAfter, clicksUpTo } from './find-clicks';
import { affectedBy, linkConversion, settleConversion } from './link-conversion';

/** Embedded driver of ConversionStore. */
export function conversionStore(db: Database, commits: Commits): ConversionStore {
  return {
    accept: (conversion) => commits.write((tx) => accept(tx, conversion)),
    get: async (id) => readConversion(db, id),
    link: (id) => commits.write((tx) => linkConversion(tx, id)),
    settle: (id) => commits.write((tx) => settleConversion(tx, id)),
    affectedBy: async (click, contactId, after, limit) => affectedBy(db, click, contactId, after, limit),
    clicks: async (id, limit) => {
      const sale = readConversion(db, id);
      const owner = sale && shownClickOwner(sale);
      if (!owner) return [];
      return [...clicksUpTo(db, owner, sale.occurredAt, limit), ...clicksAfter(db, owner, sale.occurredAt, limit)];
    },
    list: async (workspaceId, filter, page) => listConversions(db, workspaceId, filter, page),
    listAfter: async (workspaceId, filter, after, limit) => listConversionsAfter(db, workspaceId, filter, after, limit),
    ofJourney: async (journeyId) => sumOfJourney(db, journeyId),
  };
}

function accept(tx: Transaction, conversion: Conversion): 'received' | 'duplicate' {
  const contactId = conversion.contactId && presentContact(tx.db, conversion.workspaceId, conversion.contactId);
  const kept = { ...conversion, contactId };
  if (wasErased(tx.db, kept)) return 'duplicate';
  const onConflict = '(workspace_id, order_id) WHERE order_id IS NOT NULL DO NOTHING';
  if (CONVERSION.upsert(tx.db, onConflict, kept) === 0) return 'duplicate';
  scheduleTasks(tx.db, [conversionTask(kept)]);
  tx.emit([reportedRecord(kept)]);
  return 'received';
}

/** True for the order id of a sale whose contact was deleted since. */
const wasErased = (db: Database, { workspaceId, orderId }: Conversion): boolean =>
  orderId !== null &&
  db.get(
    'SELECT 1 FROM conversions WHERE workspace_id = ? AND order_hash = ?',
    workspaceId,
    erasedOrder(workspaceId, orderId),
  ) !== undefined;

/** The contact id, or null if the contact no longer exists. */
const presentContact = (db: Database, workspaceId: number, id: number): number | null =>
  db.get('SELECT 1 FROM contacts WHERE id = ? AND workspace_id = ?', id, workspaceId) === undefined ? null : id;
