import type { AnyBulkWriteOperation, ClientSession } from 'mongodb';
import { ALL_TIME, type LastActivity, type RollUp } from '../../../domain/engagement';
import type { Mongo } from '../database/client';
import { documents, type EngagementDocument, type MessageDocument } from '../database/documents';

interface Row extends RollUp {
  workspaceId: number;
  contactId: number;
}

const rowId = (contactId: number, hour: number): string => `${contactId}:${hour}`;

/** A row as stored. */
export function rollUpDocument(workspaceId: number, contactId: number, { lastAt, ...row }: RollUp): EngagementDocument {
  return { _id: rowId(contactId, row.hour), workspaceId, contactId, ...row, ...(lastAt === null ? {} : { lastAt }) };
}

/**
 * The changes that the signals of one transaction make to roll-ups and messages, summed so that each document is
 * written once.
 */
export class RollUps {
  private readonly rows = new Map<string, Row>();
  private readonly mails = new Map<string, LastActivity>();

  add(workspaceId: number, contactId: number, change: RollUp): void {
    const id = rowId(contactId, change.hour);
    const row = this.rows.get(id);
    if (!row) {
      this.rows.set(id, { ...change, workspaceId, contactId });
      return;
    }
    row.opened += change.opened;
    row.clicked += change.clicked;
    row.clicks += change.clicks;
    if (change.lastAt !== null) row.lastAt = Math.max(row.lastAt ?? change.lastAt, change.lastAt);
  }

  /** Sets when the email was last opened and last clicked. */
  note(messageId: string, last: LastActivity): void {
    this.mails.set(messageId, last);
  }

  async write({ db }: Mongo, session: ClientSession): Promise<void> {
    if (this.rows.size === 0) return;
    await documents(db, 'messages').bulkWrite([...this.mails].map(mailUpdate), { session });
    // An email may have been counted in one hour and moved on to a later one.
    const rows = [...this.rows].filter(([, row]) => row.lastAt !== null || row.opened || row.clicked || row.clicks);
    await documents(db, 'engagement').bulkWrite(rows.map(rowUpdate), { session });
    const left = rows.filter(([, { opened, clicked, clicks }]) => opened <= 0 && clicked <= 0 && clicks === 0);
    if (left.length === 0) return;
    await documents(db, 'engagement').deleteMany(
      { _id: { $in: left.map(([id]) => id) }, opened: 0, clicked: 0, clicks: 0 },
      { session },
    );
  }
}

const mailUpdate = ([_id, { openedAt, clickedAt }]: [
  string,
  LastActivity,
]): AnyBulkWriteOperation<MessageDocument> => ({
  updateOne: {
    filter: { _id },
    update: { $max: { ...(openedAt === null ? {} : { openedAt }), ...(clickedAt === null ? {} : { clickedAt }) } },
  },
});

const rowUpdate = ([_id, row]: [string, Row]): AnyBulkWriteOperation<EngagementDocument> => {
  const { workspaceId, contactId, hour, opened, clicked, clicks, lastAt } = row;
  return {
    updateOne: {
      filter: { _id },
      update: {
        $setOnInsert: { workspaceId, contactId, hour },
        $inc: { opened, clicked, clicks },
        ...(hour === ALL_TIME && lastAt !== null ? { $max: { lastAt } } : {}),
      },
      upsert: true,
    },
  };
};
