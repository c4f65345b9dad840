import { DatabaseSync } from '@photostructure/sqlite';
import type { AnyBulkWriteOperation, Document } from 'mongodb';
import { COUNTS } from '../../domain/engagement/engagement';
import { NEW_RUN } from '../../domain/campaigns/campaign-run';
import type { LedgerEntry } from '../../domain/ledger/coins';
import { MESSAGE_STATUSES, type Attempt } from '../../domain/messages/message';
import { wibDay } from '../../domain/wib';
import { COUNT_BY_HOUR } from '../../stores/embedded/database/schema';
import { ATTEMPT, MESSAGE as COLUMNS } from '../../stores/embedded/messages/message-fields';
import { historyEntry } from '../../stores/embedded/messages/message-codec';
import { recipientRow } from '../../stores/mongodb/campaigns/campaign-documents';
import type { Mongo } from '../../stores/mongodb/database/client';
import { documents, type CollectionName } from '../../stores/mongodb/database/documents';
import { rollUpDocument } from '../../stores/mongodb/engagement/roll-ups';
import { ledgerKey } from '../../stores/mongodb/ledger/booking';
import { MESSAGE } from '../../stores/mongodb/messages/message-fields';
import { lastOf, SHOP, type Shop, type ShopMail } from './shop-rows';

const HTML = '<p>Halo {{nama|Kak}}</p><p>Pesanan Anda sedang kami siapkan dan akan segera dikirim.</p>';
/** Of the runs of the campaigns: all of their rows became messages. */
const runOf = (mails: number) => ({ ...NEW_RUN, rows: mails, fed: mails, expanded: true });

const perStatus = (sum: (status: string) => string): string => MESSAGE_STATUSES.map(sum).join(', ');

/** Statements that count messages on both levels and by hours, for rows that were written without the store. */
const COUNT_MESSAGES: readonly string[] = [
  `INSERT INTO message_blocks (workspace_id, level, block, ${MESSAGE_STATUSES.join(', ')})
   SELECT workspace_id, 0, seq >> 10, ${perStatus((status) => `sum(status = '${status}')`)}
   FROM messages GROUP BY workspace_id, seq >> 10`,
  `INSERT INTO message_blocks (workspace_id, level, block, ${MESSAGE_STATUSES.join(', ')})
   SELECT workspace_id, 1, block >> 10, ${perStatus((status) => `sum(${status})`)}
   FROM message_blocks GROUP BY workspace_id, block >> 10`,
  'DELETE FROM message_hours',
  'DELETE FROM opened_messages',
  ...COUNT_BY_HOUR,
];

/** Statements that count claims by days. */
const COUNT_DAYS: readonly string[] = [
  'INSERT INTO send_days SELECT wib_day(claimed_at), workspace_id, count(*) FROM attempts GROUP BY 1, 2',
  'INSERT INTO send_days SELECT day, 0, sum(claims) FROM send_days GROUP BY day',
];

type Handle = InstanceType<typeof DatabaseSync>;
type Insert = (...values: unknown[]) => void;

/** Writes the rows of the shop into a file of the embedded engine whose contacts and campaigns are there. */
export function fillShopFile(file: string, shop: Shop): void {
  const db = new DatabaseSync(file);
  db.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -256000; BEGIN');
  const putBack = withoutIndexes(db);
  const write = mailWriter(db);
  let seq = 0;
  for (const mail of shop.mails()) write((seq += 1), mail);
  const roll = insertInto(db, 'engagement', ['workspace_id', 'hour', 'contact_id', ...COUNTS.map(snake), 'last_at']);
  for (const [id, row] of shop.rollUps()) roll(SHOP, row.hour, id, ...COUNTS.map((name) => row[name]), row.lastAt);
  const run = db.prepare(
    `UPDATE campaigns SET rows = ?2, fed = ?2, expanded = 1, opens = ?3, clicks = ?4, opens_by_people = ?3, clicks_by_people = ?4
     WHERE id = ?1 AND sent_at IS NOT NULL`,
  );
  for (const { id, mails, tally } of shop.campaigns) run.run(id, mails, tally.opens, tally.clicks);
  putBack();
  db.function('wib_day', (at: number) => wibDay(at));
  db.exec(`${[...COUNT_MESSAGES, ...COUNT_DAYS].join(';')};
    UPDATE balances SET balance = (SELECT sum(amount) FROM ledger l WHERE l.workspace_id = balances.workspace_id);
    COMMIT; PRAGMA optimize; PRAGMA wal_checkpoint(TRUNCATE)`);
  db.close();
}

/** Drops the indexes of the tables that are filled. The function makes them again, which is quicker at once. */
function withoutIndexes(db: Handle): () => void {
  const indexes = db
    .prepare(
      `SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL
       AND tbl_name IN ('messages', 'attempts', 'ledger', 'signals', 'engagement')`,
    )
    .all() as { name: string; sql: string }[];
  for (const { name } of indexes) db.exec(`DROP INDEX ${name}`);
  return () => indexes.forEach(({ sql }) => db.exec(sql));
}

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function insertInto(db: Handle, table: string, columns: readonly string[]): Insert {
  const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
  const statement = db.prepare(sql);
  return (...values) => void statement.run(...(values as never[]));
}

function mailWriter(db: Handle): (seq: number, mail: ShopMail) => void {
  const message = insertInto(db, 'messages', ['seq', ...COLUMNS.columns, 'history']);
  const body = insertInto(db, 'bodies', ['seq', 'html']);
  const key = insertInto(db, 'idempotency', ['workspace_id', 'key', 'seq']);
  const attempt = insertInto(db, 'attempts', ATTEMPT.columns);
  const ledger = insertInto(db, 'ledger', ['workspace_id', 'id', 'kind', 'amount', 'message_id', 'at']);
  const recipient = insertInto(db, 'campaign_recipients', ['campaign_id', 'contact_id', 'state', 'message_id']);
  const signal = insertInto(db, 'signals', ['id', 'message_id', 'workspace_id', 'kind', 'at', 'link', 'contact_id']);
  return (seq, { played, signals }) => {
    const { message: m } = played;
    message(seq, ...COLUMNS.bind(m), played.history.map(historyEntry).join(''));
    if (m.campaignId === null) {
      body(seq, HTML);
      key(SHOP, `pesanan-${seq}`, seq);
    } else recipient(m.campaignId, m.contactId, 'message', m.id);
    for (const one of played.attempts) attempt(...ATTEMPT.bind({ ...one, seq }));
    for (const one of played.ledger) ledger(SHOP, one.id, one.kind, one.amount, one.messageId, one.at);
    for (const { id, kind, at } of signals) {
      const isClick = kind === 'click';
      signal(id, m.id, SHOP, kind, at, isClick ? 0 : null, isClick ? m.contactId : null);
    }
  };
}

/** Documents per insert. */
const BATCH = 5_000;

/** The same in a database of the cluster engine. */
export async function fillShopDatabase(mongo: Mongo, shop: Shop): Promise<void> {
  const batches = new Batches(mongo);
  const account = await documents(mongo.db, 'accounts').findOne({ _id: SHOP });
  let { seq = 0, balance = 0 } = account ?? {};
  for (const mail of shop.mails()) {
    for (const row of mail.played.ledger) {
      balance += row.amount;
      batches.add('ledger', ledgerDocument(row, (seq += 1)));
    }
    for (const [name, document] of mailDocuments(mail)) batches.add(name, document);
    await batches.writeFull();
  }
  for (const [id, row] of shop.rollUps()) {
    batches.add('engagement', rollUpDocument(SHOP, id, row));
    await batches.writeFull();
  }
  for (const { id, tally } of shop.campaigns) batches.add('campaignTallies', { _id: id, ...tally });
  await batches.writeAll();
  await documents(mongo.db, 'accounts').updateOne({ _id: SHOP }, { $set: { seq, balance } });
  const runs = shop.campaigns.map(({ id, mails }): AnyBulkWriteOperation<Document> => ({
    updateOne: { filter: { _id: id as never, sentAt: { $gte: 0 } }, update: { $set: { run: runOf(mails) } } },
  }));
  await mongo.db.collection('campaigns').bulkWrite(runs);
}

const ledgerDocument = ({ id, kind, amount, messageId, at }: LedgerEntry, seq: number): Document => ({
  _id: ledgerKey(SHOP, id),
  workspaceId: SHOP,
  seq,
  kind,
  amount,
  messageId,
  at,
});

function* mailDocuments({ played, signals }: ShopMail): Generator<[CollectionName, Document]> {
  const { message, history } = played;
  const { openedAt, clickedAt } = lastOf(signals);
  yield [
    'messages',
    {
      ...MESSAGE.encode(message),
      history,
      attempts: played.attempts.map(attemptEntry),
      ...(message.status === 'sent_to_mta' && { stage: 'handed_over' }),
      ...(openedAt !== null && { openedAt, openedByPeopleAt: openedAt }),
      ...(clickedAt !== null && { clickedAt, clickedByPeopleAt: clickedAt }),
      claimedAt: played.attempts.at(-1)?.claimedAt,
    },
  ];
  if (message.campaignId === null) yield ['bodies', { _id: message.id, html: HTML, text: null }];
  else {
    const row = recipientRow(message.campaignId, message.contactId, null);
    yield ['campaignRecipients', { ...row, state: 'message', messageId: message.id }];
  }
  for (const { id: _id, kind, contactId, ...rest } of signals) {
    const ofClick = kind === 'click' ? { link: 0, contactId } : { link: null };
    yield ['signals', { _id, workspaceId: SHOP, kind, client: null, ...rest, ...ofClick }];
  }
}

const attemptEntry = ({ messageId: _id, workspaceId: _workspace, ...entry }: Attempt) => entry;

/** Documents that wait for an insert of many. */
class Batches {
  private readonly waiting = new Map<CollectionName, Document[]>();

  constructor(private readonly mongo: Mongo) {}

  add(name: CollectionName, document: Document): void {
    const known = this.waiting.get(name);
    if (known) known.push(document);
    else this.waiting.set(name, [document]);
  }

  async writeFull(least = BATCH): Promise<void> {
    for (const [name, batch] of this.waiting) {
      if (batch.length < least) continue;
      this.waiting.set(name, []);
      await this.mongo.db.collection(name).insertMany(batch, { ordered: false, writeConcern: { w: 1 } });
    }
  }

  async writeAll(): Promise<void> {
    await this.writeFull(1);
  }
}
