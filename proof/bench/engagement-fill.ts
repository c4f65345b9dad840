import { DatabaseSync } from '@photostructure/sqlite';
import type { Db, Document } from 'mongodb';
import { v7 as uuidv7 } from 'uuid';
import {
  hourOf,
  lastActivity,
  NO_ACTIVITY,
  rollUp,
  type LastActivity,
  type MailActivity,
  type RollUp,
} from '../../domain/engagement/engagement';
import { DAY } from '../../lib/clock';
import { rollUpDocument } from '../../stores/mongodb/engagement/roll-ups';

/** Age of the oldest signal. */
const SPAN = 365 * DAY;
/** Signals of one email, on average. */
const SIGNALS_EACH = 2.5;
/** Documents per insert. */
const BATCH = 20_000;

export interface EngagementSize {
  contacts: number;
  events: number;
}

interface Mail {
  id: string;
  contactId: number;
  at: number;
}

interface Hit {
  id: string;
  messageId: string;
  kind: 'open' | 'click';
  at: number;
}

/**
 * A year of one workspace: emails of every contact, opened a few times, with clicks from one contact in four, and the
 * roll-ups of all that.
 */
export class EngagementFill {
  constructor(
    private readonly size: EngagementSize,
    private readonly now: number,
  ) {}

  intoFile(file: string): void {
    const db = new DatabaseSync(file);
    db.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -256000; BEGIN');
    const contact = db.prepare(
      `INSERT INTO contacts (id, workspace_id, email, email_hash, status, subscribed_at, created_at, updated_at)
       VALUES (?, 1, ?, 'hash', 'subscribed', 0, 0, 0)`,
    );
    for (let id = 1; id <= this.size.contacts; id += 1) contact.run(id, emailOf(id));
    const message = db.prepare(
      `INSERT INTO messages (id, workspace_id, contact_id, domain_id, channel, lane, subject, from_email, from_name, created_at,
         status, dispatched_at, attempt, unknown, version, history)
       VALUES (?, 1, ?, 1, 'api', 'transactional', 'Halo', 'a@b.example', 'Bench', ?, 'sent_to_mta', ?, 1, 0, 1, '')`,
    );
    for (const mail of this.mails()) message.run(mail.id, mail.contactId, mail.at, mail.at);
    const signal = db.prepare('INSERT INTO signals (id, message_id, workspace_id, kind, at) VALUES (?, ?, 1, ?, ?)');
    for (const hit of this.hits()) signal.run(hit.id, hit.messageId, hit.kind, hit.at);
    const row = db.prepare(
      `INSERT INTO engagement (workspace_id, hour, contact_id, opened, clicked, clicks, last_at, opened_by_people,
         clicked_by_people, clicks_by_people) VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    for (const [contactId, { hour, opened, clicked, clicks, lastAt }] of this.rollUps()) {
      row.run(hour, contactId, opened, clicked, clicks, lastAt, opened, clicked, clicks);
    }
    db.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
    db.close();
  }

  async intoDatabase(db: Db): Promise<void> {
    const contacts = function* (count: number): Generator<Document> {
      for (let id = 1; id <= count; id += 1) {
        yield { _id: id, workspaceId: 1, email: emailOf(id), name: null, status: 'subscribed', counted: true };
      }
    };
    await insertAll(db, 'contacts', contacts(this.size.contacts));
    await insertAll(db, 'messages', this.mailDocuments());
    await insertAll(db, 'signals', this.hitDocuments());
    const rows = [...this.rollUps()];
    await insertAll(
      db,
      'engagement',
      rows.map(([contactId, row]) => rollUpDocument(1, contactId, row)),
    );
  }

  private *mails(): Generator<Mail> {
    const count = Math.round(this.size.events / SIGNALS_EACH);
    for (let n = 0; n < count; n += 1) {
      const at = this.now - SPAN + Math.floor((n / count) * (SPAN - 3 * DAY));
      yield { id: mailId(n, at), contactId: 1 + ((n * 7_919) % this.size.contacts), at };
    }
  }

  private *hits(): Generator<Hit> {
    let n = 0;
    for (const { id, at } of this.mails()) {
      const ofMail = n % 5 < 2 || n % 2 === 0 ? 3 : 2;
      for (let hit = 0; hit < ofMail && n < this.size.events; hit += 1, n += 1) {
        const kind = n % 4 === 0 ? 'click' : 'open';
        yield { id: `hit-${n.toString(36)}`, messageId: id, kind, at: at + ((n * 104_729) % (3 * DAY)) };
      }
    }
  }

  /** The rows of each contact. */
  private *rollUps(): Generator<[contactId: number, row: RollUp]> {
    const owners = new Map(Array.from(this.mails(), ({ id, contactId }) => [id, contactId]));
    const ofHours = new Map<string, MailActivity>();
    for (const { messageId, kind, at } of this.hits()) {
      const key = `${messageId}:${hourOf(at)}`;
      const { lastAt = at, lastClickAt = null, clicks = 0 } = ofHours.get(key) ?? {};
      const isClick = kind === 'click';
      const activity = {
        lastAt: Math.max(lastAt, at),
        lastClickAt: isClick ? Math.max(lastClickAt ?? at, at) : lastClickAt,
        clicks: clicks + (isClick ? 1 : 0),
      };
      ofHours.set(key, { messageId, ...activity, people: activity });
    }
    const ofContacts = new Map<number, MailActivity[]>();
    for (const activity of ofHours.values()) {
      const contactId = owners.get(activity.messageId)!;
      ofContacts.set(contactId, [...(ofContacts.get(contactId) ?? []), activity]);
    }
    for (const [contactId, activities] of ofContacts) for (const row of rollUp(activities)) yield [contactId, row];
  }

  private *mailDocuments(): Generator<Document> {
    const last = new Map<string, LastActivity>();
    for (const hit of this.hits()) last.set(hit.messageId, lastActivity(last.get(hit.messageId) ?? NO_ACTIVITY, hit));
    for (const { id, contactId, at } of this.mails()) {
      const { openedAt, clickedAt } = last.get(id) ?? NO_ACTIVITY;
      const facts = { workspaceId: 1, contactId, domainId: 1, channel: 'api', lane: 'transactional', subject: 'Halo' };
      yield {
        _id: id,
        ...facts,
        createdAt: at,
        status: 'sent_to_mta',
        dispatchedAt: at,
        version: 1,
        attempts: [],
        openedAt,
        clickedAt,
      };
    }
  }

  private *hitDocuments(): Generator<Document> {
    for (const { id, ...hit } of this.hits())
      yield { _id: id, workspaceId: 1, link: null, machine: null, client: null, ...hit };
  }
}

const emailOf = (id: number): string => `pelanggan${id}@contoh.example`;

/** Returns the same at every call. */
const mailId = (n: number, at: number): string => uuidv7({ msecs: at, seq: n, random: ZEROS });
const ZEROS = new Uint8Array(16);

async function insertAll(db: Db, name: string, documents: Iterable<Document>): Promise<void> {
  let batch: Document[] = [];
  const flush = async (): Promise<void> => {
    if (batch.length > 0) await db.collection(name).insertMany(batch, { ordered: false, writeConcern: { w: 1 } });
    batch = [];
  };
  for (const document of documents) {
    batch.push(document);
    if (batch.length === BATCH) await flush();
  }
  await flush();
}
