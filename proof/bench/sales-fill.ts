import { DatabaseSync } from '@photostructure/sqlite';
import type { Document } from 'mongodb';
import { acceptedMessage, type Message } from '../../domain/messages/message';
import { DAY, HOUR, MINUTE } from '../../lib/clock';
import type { Mongo } from '../../stores/mongodb/database/client';
import type { MessageDocument } from '../../stores/mongodb/database/documents';
import { MESSAGE } from '../../stores/mongodb/messages/message-fields';
import { SOME_FACTS } from '../../test/support/message';

/** How much is stored: clicks, and linked sales. */
export interface SalesSize {
  clicks: number;
  sales: number;
}

/** The workspace whose mails are clicked. */
export const SHOP = 1;
/** Clicks of one mail, an hour apart, from an hour after it on. */
const CLICKS_EACH = 5;
/** Mails of one contact. */
const MAILS_EACH = 2;
/** The mails are spread evenly over this time. */
const SPAN = 60 * DAY;
const START = Date.UTC(2026, 0, 1);

export const mailsOf = ({ clicks }: SalesSize): number => clicks / CLICKS_EACH;
const contactsOf = (size: SalesSize): number => mailsOf(size) / MAILS_EACH;
/** The id of mail `n`, from 1. */
export const mailId = (n: number): string => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const saleId = (n: number): string => `01900000-0000-7000-9000-${String(n).padStart(12, '0')}`;
/** The contact of mail `n`. */
export const contactOf = (size: SalesSize, n: number): number => (n % contactsOf(size)) + 1;
const sentAt = (size: SalesSize, n: number): number => START + Math.floor((n / mailsOf(size)) * SPAN);
/** A minute after the last click of mail `n`. */
export const boughtAt = (size: SalesSize, n: number): number => sentAt(size, n) + CLICKS_EACH * HOUR + MINUTE;

interface Click {
  id: string;
  mail: number;
  at: number;
}

function* clicksOf(size: SalesSize): Generator<Click> {
  for (let mail = 1; mail <= mailsOf(size); mail += 1) {
    for (let hour = 1; hour <= CLICKS_EACH; hour += 1) {
      yield { id: `hit-${mail}-${hour}`, mail, at: sentAt(size, mail) + hour * HOUR };
    }
  }
}

/** Sales that are linked to the last click of their mail: by turns they named the mail and its contact. */
function* salesOf(size: SalesSize) {
  for (let n = 1; n <= size.sales; n += 1) {
    const mail = Math.max(1, Math.floor((n / size.sales) * mailsOf(size)));
    const occurredAt = boughtAt(size, mail);
    const owner =
      n % 2 === 0
        ? { messageId: mailId(mail), contactId: null }
        : { messageId: null, contactId: contactOf(size, mail) };
    yield { id: saleId(n), orderId: `INV-${n}`, ...owner, occurredAt, click: `hit-${mail}-${CLICKS_EACH}`, mail };
  }
}

/** Fills an empty file of the embedded engine. */
export function fillSalesFile(file: string, size: SalesSize): void {
  const db = new DatabaseSync(file);
  db.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -256000; BEGIN');
  const contact = db.prepare(
    `INSERT INTO contacts (id, workspace_id, email, email_hash, status, subscribed_at, created_at, updated_at)
     VALUES (?, ${SHOP}, ?, ?, 'subscribed', 0, 0, 0)`,
  );
  for (let id = 1; id <= contactsOf(size); id += 1) contact.run(id, `pelanggan${id}@example.test`, String(id));
  const message = db.prepare(
    `INSERT INTO messages (id, workspace_id, contact_id, domain_id, channel, lane, subject, from_email, from_name, created_at,
       status, dispatched_at, attempt, unknown, version, history)
     VALUES (?, ${SHOP}, ?, 1, 'api', 'transactional', 'Promo', 'a@b.example', 'Bench', ?, 'delivered', ?, 1, 0, 1, '')`,
  );
  for (let n = 1; n <= mailsOf(size); n += 1) {
    message.run(mailId(n), contactOf(size, n), sentAt(size, n), sentAt(size, n));
  }
  const signal = db.prepare(
    `INSERT INTO signals (id, message_id, workspace_id, kind, at, link, contact_id) VALUES (?, ?, ${SHOP}, 'click', ?, 0, ?)`,
  );
  for (const { id, mail, at } of clicksOf(size)) signal.run(id, mailId(mail), at, contactOf(size, mail));
  const sale = db.prepare(
    `INSERT INTO conversions (id, workspace_id, amount, message_id, contact_id, order_id, occurred_at, received_at, click_id,
       clicked_at, clicked_message_id) VALUES (?, ${SHOP}, 1000, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  for (const { id, messageId, contactId, orderId, occurredAt: at, click, mail } of salesOf(size)) {
    sale.run(id, messageId, contactId, orderId, at, at, click, at - MINUTE, mailId(mail));
  }
  db.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
}

/** Documents per insert. */
const BATCH = 5_000;

/** The same on MongoDB. */
export async function fillSalesDatabase({ db }: Mongo, size: SalesSize): Promise<void> {
  const insert = async (name: string, rows: Iterable<Document>): Promise<void> => {
    const write = (batch: Document[]) =>
      db.collection(name).insertMany(batch, { ordered: false, writeConcern: { w: 1 } });
    const batch: Document[] = [];
    for (const row of rows) {
      batch.push(row);
      if (batch.length === BATCH) await write(batch.splice(0));
    }
    if (batch.length > 0) await write(batch);
  };
  await insert('contacts', contactDocuments(size));
  await insert('messages', messageDocuments(size));
  await insert('signals', signalDocuments(size));
  await insert('conversions', saleDocuments(size));
}

function* contactDocuments(size: SalesSize): Generator<Document> {
  const facts = { workspaceId: SHOP, name: null, status: 'subscribed', subscribedAt: 0, unsubscribedAt: null };
  for (let _id = 1; _id <= contactsOf(size); _id += 1) {
    const email = `pelanggan${_id}@example.test`;
    yield { _id, ...facts, email, emailHash: String(_id), createdAt: 0, updatedAt: 0, counted: true };
  }
}

function messageDocument(size: SalesSize, n: number): MessageDocument {
  const to = 'pelanggan@example.test';
  const sender = { subject: 'Promo', fromEmail: 'a@b.example', fromName: 'Bench', to, toText: to, domainId: 1 };
  const facts = { ...SOME_FACTS, ...sender, id: mailId(n), workspaceId: SHOP, contactId: contactOf(size, n) };
  const accepted = acceptedMessage({ ...facts, createdAt: sentAt(size, n) }, null);
  const message = { ...accepted, status: 'delivered', dueAt: null, attempt: 1 } satisfies Message;
  return { ...MESSAGE.encode(message), history: [], attempts: [] };
}

function* messageDocuments(size: SalesSize): Generator<Document> {
  for (let n = 1; n <= mailsOf(size); n += 1) yield { ...messageDocument(size, n) };
}

function* signalDocuments(size: SalesSize): Generator<Document> {
  for (const { id, mail, at } of clicksOf(size)) {
    const facts = { workspaceId: SHOP, messageId: mailId(mail), contactId: contactOf(size, mail) };
    yield { _id: id, ...facts, kind: 'click', at, link: 0, machine: null };
  }
}

function* saleDocuments(size: SalesSize): Generator<Document> {
  for (const { id: _id, messageId, contactId, orderId, occurredAt, click: clickId, mail } of salesOf(size)) {
    const link = {
      clickId,
      clickedAt: occurredAt - MINUTE,
      messageId: mailId(mail),
      campaignId: null,
      journeyId: null,
    };
    const facts = { workspaceId: SHOP, amount: 1_000, messageId, contactId, orderId, link };
    yield { _id, ...facts, occurredAt, receivedAt: occurredAt };
  }
}
