import { CONVERSION_WORK, isLater, salePeriod, type Click } from '../../../domain/conversions/attribution';
import { erasedOrder, type StoredConversion } from '../../../domain/conversions/conversion';
import type { ConversionCursor } from '../../ports/conversion-store';
import { linkedRecord, mergeCursors } from '../../shared/conversion-facts';
import type { Transaction } from '../database/commits';
import { textOut, type Database, type Value } from '../database/database';
import { LINK, readConversion } from './conversion-fields';
import { lastClick } from './find-clicks';

/** Links a sale to its last qualifying click; see ConversionStore.link. */
export function linkConversion(tx: Transaction, id: string): 'linked' | 'waiting' | 'gone' {
  const sale = readConversion(tx.db, id);
  if (!sale) return 'gone';
  const click = lastClick(tx.db, sale);
  if (click && isLater(click, sale.link)) setLink(tx, sale, click);
  else if (!sale.link) return 'waiting';
  endTask(tx.db, id);
  return 'linked';
}

const endTask = (db: Database, id: string): number =>
  db.run('DELETE FROM due_tasks WHERE kind = ? AND id = ?', CONVERSION_WORK, id);

function setLink(tx: Transaction, sale: StoredConversion, click: Click): void {
  const message = tx.db.get<{ campaign_id: number | null; journey_id: number | null; contact_id: number | null }>(
    `SELECT iif(m.lane = 'campaign', m.campaign_id, NULL) AS campaign_id, m.journey_id, c.id AS contact_id
     FROM messages m LEFT JOIN contacts c ON c.id = m.contact_id WHERE m.id = ?`,
    click.messageId,
  );
  const link = {
    clickId: click.id,
    clickedAt: click.at,
    messageId: click.messageId,
    campaignId: message?.campaign_id ?? null,
    journeyId: message?.journey_id ?? null,
  };
  tx.db.run(`UPDATE conversions SET ${LINK.assignments} WHERE id = ?`, ...LINK.bind(link), sale.id);
  if (sale.link?.messageId !== click.messageId) tx.emit([linkedRecord(sale, click, message?.contact_id ?? null)]);
}

/** Links a sale, or removes it; see ConversionStore.settle. What stays of one with an order id is a repeat to come. */
export function settleConversion(tx: Transaction, id: string): 'linked' | 'gone' {
  const outcome = linkConversion(tx, id);
  if (outcome !== 'waiting') return outcome;
  endTask(tx.db, id);
  tx.db.run('DELETE FROM conversions WHERE id = ? AND order_id IS NULL AND order_hash IS NULL', id);
  tx.db.run('UPDATE conversions SET unlinked = 1, amount = 0, occurred_at = 0 WHERE id = ?', id);
  return 'gone';
}

/** Sales that may move to a click; see ConversionStore.affectedBy. */
export function affectedBy(
  db: Database,
  click: Click,
  contactId: number,
  after: ConversionCursor | null,
  limit: number,
): ConversionCursor[] {
  const { from, to } = salePeriod(click);
  const read = (column: 'message_id' | 'contact_id', owner: Value): ConversionCursor[] =>
    db.all<ConversionCursor>(
      `SELECT id, occurred_at AS occurredAt FROM conversions
       WHERE ${column} = ? AND (occurred_at, id) > (?, ?) AND occurred_at <= ? AND unlinked = 0
         AND (click_id IS NULL OR (clicked_at, click_id) < (?, ?))
       ORDER BY occurred_at, id LIMIT ?`,
      owner,
      after?.occurredAt ?? from,
      after?.id ?? '',
      to,
      click.at,
      click.id,
      limit,
    );
  return mergeCursors(limit, read('message_id', click.messageId), read('contact_id', contactId));
}

/**
 * Takes a deleted contact out of its sales: they stay as figures, and their order ids go. Links them first, since
 * nothing leads from them to a click any more after that. Call it in a transaction that overwrites what is freed.
 */
export function forgetBuyer(tx: Transaction, contactId: number): void {
  const { db } = tx;
  const sales = db.all<{ id: string }>('SELECT id FROM conversions WHERE contact_id = ? AND unlinked = 0', contactId);
  for (const { id } of sales) linkConversion(tx, id);
  eraseOrders(db, 'contact_id', contactId);
  db.run('UPDATE conversions SET contact_id = NULL WHERE contact_id = ?', contactId);
}

/** Erases the order ids of sales that name a message to the deleted contact. */
export const forgetOrders = (db: Database, messageId: string): void => eraseOrders(db, 'message_id', messageId);

/** A repeat of an erased order id is still known. */
function eraseOrders(db: Database, column: 'message_id' | 'contact_id', owner: Value): void {
  const orders = db.all<{ id: string; workspace_id: number; order_id: string | Uint8Array }>(
    `SELECT id, workspace_id, order_id FROM conversions WHERE ${column} = ? AND order_id IS NOT NULL`,
    owner,
  );
  for (const { id, workspace_id: workspaceId, order_id: orderId } of orders) {
    const hash = erasedOrder(workspaceId, textOut(orderId));
    db.run('UPDATE conversions SET order_id = NULL, order_hash = ? WHERE id = ?', hash, id);
  }
}
