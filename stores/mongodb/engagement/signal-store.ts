import type { ClientSession } from 'mongodb';
import { lastActivity, rollUpChanges, type LastActivity } from '../../../domain/engagement';
import type { Signal } from '../../../domain/signal';
import type { OutgoingRecord } from '../../../streams/records';
import type { SignalOutcome, SignalStore } from '../../ports/signal-store';
import type { Mongo } from '../database/client';
import { documents, toDocument, type SignalDocument } from '../database/documents';
import { Grouped } from '../transactions/grouped';
import { guarded } from '../transactions/guard';
import { outboxEntries } from '../messages/message-codec';
import type { Outbox } from '../log/outbox';
import { tallyForCampaigns } from './campaign-tallies';
import { RollUps } from './roll-ups';
import { transact } from '../transactions/transact';

/** A signal is written once. */
const VERSION = 1;
/** The most signals in one transaction. */
const MAX_SIGNALS = 100;

interface NewSignal {
  signal: Signal;
  workspaceId: number;
  records: readonly OutgoingRecord[];
}

export type GroupedSignals = Grouped<NewSignal, SignalOutcome>;

/** Waiting signals share a transaction, which costs about as much as one signal alone. */
export const groupedSignals = (mongo: Mongo, now: () => number): GroupedSignals =>
  new Grouped((items) => storeSignals(mongo, now(), items), { maxItems: MAX_SIGNALS });

/** MongoDB driver of SignalStore. */
export function signalStore(mongo: Mongo, outbox: Outbox, grouped: GroupedSignals): SignalStore {
  const signals = documents(mongo.db, 'signals');
  return guarded<SignalStore>({
    store: async (signal, workspaceId, records) => {
      const outcome = await grouped.submit({ signal, workspaceId, records });
      if (outcome === 'stored') outbox.enqueue({ holder: 'signals', id: signal.id, v: VERSION, records });
      return outcome;
    },
    ofMessage: async (messageId) => {
      const found = await signals.find({ messageId }).sort({ at: 1, _id: 1 }).toArray();
      return found.map(({ _id: id, messageId: message, kind, at, link }) => ({
        id,
        messageId: message,
        kind,
        at,
        link,
      }));
    },
  });
}

/** Uses a transaction even when all signals already exist: `exists` is answered only once that is durable. */
function storeSignals(mongo: Mongo, now: number, items: readonly NewSignal[]): Promise<SignalOutcome[]> {
  return transact(mongo, async (session) => {
    const fresh = await findNew(mongo, session, items);
    if (fresh.size > 0) {
      await countAll(mongo, session, [...fresh]);
      await tallyForCampaigns(
        mongo,
        session,
        [...fresh].map(({ signal }) => signal),
      );
      const stored = [...fresh].map((item) => signalDocument(item, now));
      await documents(mongo.db, 'signals').insertMany(stored, { session });
    }
    return items.map((item) => (fresh.has(item) ? 'stored' : 'exists'));
  });
}

/** The signals not stored yet; of several with the same id, the first. */
async function findNew(
  { db }: Mongo,
  session: ClientSession,
  items: readonly NewSignal[],
): Promise<ReadonlySet<NewSignal>> {
  const known = documents(db, 'signals').find(
    { _id: { $in: items.map(({ signal }) => signal.id) } },
    { session, projection: { _id: 1 } },
  );
  const ids = new Set((await known.toArray()).map(({ _id }) => _id));
  const fresh = items.filter(({ signal: { id } }) => {
    if (ids.has(id)) return false;
    ids.add(id);
    return true;
  });
  return new Set(fresh);
}

function signalDocument({ signal, workspaceId, records }: NewSignal, now: number): SignalDocument {
  const held = records.length === 0 ? {} : { outbox: outboxEntries(records, VERSION), outboxAt: now };
  return { ...toDocument(signal), workspaceId, ...held };
}

/** The counts of an email, and its owner. */
interface Mail extends LastActivity {
  contactId: number;
}

/**
 * Adds the signals to the roll-ups of their contacts. Every such transaction writes the contact first. When another one
 * (another signal of the contact, or its deletion) runs at the same time, one of the two conflicts and retries.
 */
async function countAll(mongo: Mongo, session: ClientSession, items: readonly NewSignal[]): Promise<void> {
  const counted = items.filter(({ signal }) => signal.kind !== 'unsubscribe');
  if (counted.length === 0) return;
  const mails = await readMails(mongo, session, counted);
  const present = await touchContacts(mongo, session, [...mails.values()]);
  const rollUps = new RollUps();
  for (const { signal, workspaceId } of counted) {
    const mail = mails.get(signal.messageId);
    if (!mail || present.get(mail.contactId) !== workspaceId) continue;
    for (const change of rollUpChanges(mail, signal)) rollUps.add(workspaceId, mail.contactId, change);
    const last = lastActivity(mail, signal);
    mails.set(signal.messageId, { ...mail, ...last });
    rollUps.note(signal.messageId, last);
  }
  await rollUps.write(mongo, session);
}

async function readMails(
  { db }: Mongo,
  session: ClientSession,
  items: readonly NewSignal[],
): Promise<Map<string, Mail>> {
  const found = documents(db, 'messages').find(
    { _id: { $in: [...new Set(items.map(({ signal }) => signal.messageId))] } },
    { session, projection: { contactId: 1, openedAt: 1, clickedAt: 1 } },
  );
  return new Map(
    (await found.toArray()).map(({ _id, contactId, openedAt = null, clickedAt = null }) => [
      _id,
      { contactId, openedAt, clickedAt },
    ]),
  );
}

/** The contacts that exist, each with its workspace. */
async function touchContacts(
  { db }: Mongo,
  session: ClientSession,
  mails: readonly Mail[],
): Promise<Map<number, number>> {
  const ids = [...new Set(mails.map(({ contactId }) => contactId))];
  const contacts = documents(db, 'contacts');
  await contacts.updateMany({ _id: { $in: ids } }, { $inc: { touched: 1 } }, { session });
  const found = contacts.find({ _id: { $in: ids } }, { session, projection: { workspaceId: 1 } });
  return new Map((await found.toArray()).map(({ _id, workspaceId }) => [_id, workspaceId]));
}
