import { DatabaseSync } from '@photostructure/sqlite';
import { acceptedMessage, type Message, type MessageFacts } from '../../domain/messages/message';
import { COUNT_LISTS } from './count-lists';
import type { Mongo } from '../../stores/mongodb/database/client';
import { foldContacts } from '../../stores/mongodb/contacts/counted-list';
import { documents, type ContactDocument, type MessageDocument } from '../../stores/mongodb/database/documents';
import { MESSAGE } from '../../stores/mongodb/messages/message-fields';
import { SOME_FACTS } from '../../test/support/message';

/** The workspace whose lists are paged. Every fifth item belongs to another workspace. */
export const PAGED = 1;
const OTHERS = 24;

/** Every fiftieth message failed, the others were delivered. */
const FAILED_EVERY = 50;

/** The workspace of item number `n`, from 1: four in five belong to the paged one. */
const ownerOf = (n: number): number => (n % 5 === 0 ? 2 + ((n / 5) % OTHERS) : PAGED);

/** How many items it takes until the paged workspace has this many. */
const numbersFor = (items: number): number => Math.ceil((items * 5) / 4);

/** Fills an empty file of the embedded engine with contacts and messages; of a message only its row. */
export function fillFile(file: string, items: number): void {
  const db = new DatabaseSync(file);
  const numbers = `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${numbersFor(items)})`;
  const owner = `iif(n % 5 = 0, 2 + (n / 5) % ${OTHERS}, ${PAGED})`;
  db.exec(`PRAGMA synchronous = OFF; PRAGMA cache_size = -256000; BEGIN;
    ${numbers} INSERT INTO contacts (id, workspace_id, email, email_hash, status, subscribed_at, created_at, updated_at)
      SELECT n, ${owner}, 'pelanggan' || n || '@example.test', hex(n), 'subscribed', 0, 0, 0 FROM numbers;
    ${numbers} INSERT INTO messages (seq, id, workspace_id, contact_id, domain_id, channel, lane, recipient, recipient_text, subject,
        from_email, from_name, created_at, status, attempt, unknown, version, history)
      SELECT n, format('01900000-0000-7000-8000-%012d', n), ${owner}, n, 1, 'api', 'transactional', 'pelanggan@example.test',
        'pelanggan@example.test', 'Pesanan Anda dikirim', 'no-reply@bench.example', 'Bench', 0,
        iif(n % ${FAILED_EVERY} = 1, 'failed', 'delivered'), 1, 0, 1, 'queued@1767582000000 sending@1767582000050 ' FROM numbers;
    ${COUNT_LISTS.join(';\n')};
    COMMIT; PRAGMA wal_checkpoint(TRUNCATE)`);
  db.close();
}

/** Documents per insert. */
const BATCH = 5_000;

/** The same on MongoDB. The contacts are counted as by the sweeper. */
export async function fillDatabase(mongo: Mongo, items: number): Promise<void> {
  const { db } = mongo;
  const unheard = { ordered: false, writeConcern: { w: 1 } };
  const numbers = numbersFor(items);
  for (let first = 1; first <= numbers; first += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, numbers - first + 1) }, (_, i) => first + i);
    await documents(db, 'contacts').insertMany(batch.map(contactDocument), unheard);
    await documents(db, 'messages').insertMany(batch.map(messageDocument), unheard);
  }
  while ((await foldContacts(mongo, BATCH)) > 0);
}

const contactDocument = (n: number): ContactDocument => ({
  _id: n,
  workspaceId: ownerOf(n),
  email: `pelanggan${n}@example.test`,
  emailHash: n.toString(16),
  name: null,
  status: 'subscribed',
  subscribedAt: 0,
  unsubscribedAt: null,
  createdAt: 0,
  updatedAt: 0,
  counted: false,
});

const messageDocument = (n: number): MessageDocument => {
  const facts: MessageFacts = {
    ...SOME_FACTS,
    id: `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`,
    workspaceId: ownerOf(n),
    contactId: n,
    to: 'pelanggan@example.test',
    toText: 'pelanggan@example.test',
    subject: 'Pesanan Anda dikirim',
    fromEmail: 'no-reply@bench.example',
    fromName: 'Bench',
    createdAt: 0,
  };
  const status = n % FAILED_EVERY === 1 ? 'failed' : 'delivered';
  const message = { ...acceptedMessage(facts, null), status, dueAt: null, attempt: 1 } satisfies Message;
  return { ...MESSAGE.encode(message), history: [], attempts: [] };
};
