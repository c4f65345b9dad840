import type { AnyBulkWriteOperation, ClientSession } from 'mongodb';
import { ALL_TIME, COUNTS, type LastActivity, type RollUp } from '../../../domain/engagement/engagement';
import type { Mongo } from '../database/client';
import { documents, type MessageDocument } from '../database/documents';
import type { EngagementDocument } from './engagement-documents';

interface Row extends RollUp {
  workspaceId: number;
  contactId: number;
}

/** When an email was last opened and clicked, by anything and by people. */
export interface NotedMail {
  last: LastActivity;
  people: LastActivity;
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
  private readonly mails = new Map<string, NotedMail>();

  add(workspaceId: number, contactId: number, change: RollUp): void {
    const id = rowId(contactId, change.hour);
    const row = this.rows.get(id);
    if (!row) {
      this.rows.set(id, { ...change, workspaceId, contactId });
      return;
    }
    for (const count of COUNTS) row[count] += change[count];
    if (change.lastAt !== null) row.lastAt = Math.max(row.lastAt ?? change.lastAt, change.lastAt);
  }

  /** Sets when the email was last opened and last clicked, by anything and by people. */
  note(messageId: string, mail: NotedMail): void {
    this.mails.set(messageId, mail);
  }

  async write({ db }: Mongo, session: ClientSession): Promise<void> {
    if (this.mails.size === 0) return;
    await documents(db, 'messages').bulkWrite([...this.mails].map(mailUpdate), { session });
    // An email may have been counted in one hour and moved on to a later one.
    const rows = [...this.rows].filter(([, row]) => row.lastAt !== null || COUNTS.some((count) => row[count] !== 0));
    if (rows.length === 0) return;
    await documents(db, 'engagement').bulkWrite(rows.map(rowUpdate), { session });
    const left = rows.filter(([, row]) => COUNTS.some((count) => row[count] < 0));
    if (left.length === 0) return;
    await documents(db, 'engagement').deleteMany(
      { _id: { $in: left.map(([id]) => id) }, ...Object.fromEntries(COUNTS.map((count) => [count, 0])) },
      { session },
    );
  }
}

const mailUpdate = ([_id, { last, people }]: [string, NotedMail]): AnyBulkWriteOperation<MessageDocument> => {
  const { openedAt, clickedAt } = last;
  const latest = { ...(openedAt === null ? {} : { openedAt }), ...(clickedAt === null ? {} : { clickedAt }) };
  return {
    updateOne: {
      filter: { _id },
      update: {
        ...(openedAt === null ? {} : { $max: latest }),
        $set: { openedByPeopleAt: people.openedAt, clickedByPeopleAt: people.clickedAt },
      },
    },
  };
};

const rowUpdate = ([_id, row]: [string, Row]): AnyBulkWriteOperation<EngagementDocument> => {
  const { workspaceId, contactId, hour, lastAt, ...counts } = row;
  return {
    updateOne: {
      filter: { _id },
      update: {
        $setOnInsert: { workspaceId, contactId, hour },
        $inc: counts,
        ...(hour === ALL_TIME && lastAt !== null ? { $max: { lastAt } } : {}),
      },
      upsert: true,
    },
  };
};
