import type { Conversion } from '../../../domain/conversion';
import type { ConversionStore } from '../../ports/conversion-store';
import type { Commits } from '../database/commits';
import { textIn, textOut, type Database } from '../database/database';

interface Row {
  id: string;
  workspace_id: number;
  amount: number;
  message_id: string | null;
  contact_id: number | null;
  order_id: string | Uint8Array | null;
  occurred_at: number;
  received_at: number;
}

const toConversion = (row: Row): Conversion => ({
  id: row.id,
  workspaceId: row.workspace_id,
  amount: row.amount,
  messageId: row.message_id,
  contactId: row.contact_id,
  orderId: row.order_id === null ? null : textOut(row.order_id),
  occurredAt: row.occurred_at,
  receivedAt: row.received_at,
});

/** Embedded driver of ConversionStore. */
export function conversionStore(db: Database, commits: Commits): ConversionStore {
  return {
    accept: (conversion) =>
      commits.write((tx) => {
        const contactId = conversion.contactId && presentContact(tx.db, conversion.workspaceId, conversion.contactId);
        const written = tx.db.run(
          `INSERT INTO conversions (id, workspace_id, amount, message_id, contact_id, order_id, occurred_at, received_at)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?)
           ON CONFLICT (workspace_id, order_id) WHERE order_id IS NOT NULL DO NOTHING`,
          conversion.id,
          conversion.workspaceId,
          conversion.amount,
          conversion.messageId,
          contactId,
          conversion.orderId === null ? null : textIn(conversion.orderId),
          conversion.occurredAt,
          conversion.receivedAt,
        );
        if (written === 0) return 'duplicate';
        tx.emit([{ topic: 'conversions', key: String(conversion.workspaceId), value: { ...conversion, contactId } }]);
        return 'received';
      }),
    get: async (id) => {
      const row = db.get<Row>('SELECT * FROM conversions WHERE id = ?', id);
      return row ? toConversion(row) : null;
    },
  };
}

/** The contact id, or null if the contact no longer exists. */
const presentContact = (db: Database, workspaceId: number, id: number): number | null =>
  db.get('SELECT 1 FROM contacts WHERE id = ? AND workspace_id = ?', id, workspaceId) === undefined ? null : id;
