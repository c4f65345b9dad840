import { isActivity, strongest, type MachineReason } from '../../../domain/engagement/machine';
import type { NewHit } from '../../../domain/engagement/signal';
import type { ClientSession } from 'mongodb';
import type { OutgoingRecord } from '../../../streams/records';
import type { SignalOutcome, SignalStore } from '../../ports/signal-store';
import type { Mongo } from '../database/client';
import { documents } from '../database/documents';
import { Grouped } from '../transactions/grouped';
import { guarded } from '../transactions/guard';
import { outboxEntries } from '../log/outbox-entries';
import type { Outbox } from '../log/outbox';
import { tallyForCampaigns } from './campaign-tallies';
import { countSignals } from './count-signals';
import type { SignalDocument } from './engagement-documents';
import { findFlags, findTime, writeFlags } from './machine-flags';
import { transact } from '../transactions/transact';

/** A signal is written once with its records. */
const VERSION = 1;
/** The most signals in one transaction. */
const MAX_SIGNALS = 100;

interface NewSignal {
  signal: NewHit;
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
    flag: (messageId, workspaceId, time) =>
      transact(mongo, async (session) => {
        const flags = await findTime(mongo, session, messageId, time);
        if (flags.reasons.size === 0) return;
        await writeFlags(mongo, session, flags.reasons);
        const people = await countSignals(mongo, session, [], flags.removed, new Map([[messageId, workspaceId]]));
        await tallyForCampaigns(mongo, session, [], people);
      }),
    reasonAt: async ({ messageId, kind, at, link }) => {
      const found = await signals
        .find({ messageId, kind, at, link }, { projection: { machine: 1 } })
        .hint('signals_of_message')
        .toArray();
      return found.reduce<MachineReason | null>((reason, { machine }) => strongest(reason, machine), null);
    },
    ofMessage: async (messageId) => {
      const found = await signals.find({ messageId }).sort({ at: 1, _id: 1 }).toArray();
      return found.flatMap(({ _id: id, messageId: message, kind, at, link, machine }) =>
        kind === 'hidden' ? [] : [{ id, messageId: message, kind, at, link, machine }],
      );
    },
  });
}

/** Uses a transaction even when all signals already exist: `exists` is answered only once that is durable. */
function storeSignals(mongo: Mongo, now: number, items: readonly NewSignal[]): Promise<SignalOutcome[]> {
  return transact(mongo, async (session) => {
    const fresh = await findNew(mongo, session, items);
    if (fresh.size > 0) await storeNew(mongo, session, now, [...fresh]);
    return items.map((item) => (fresh.has(item) ? 'stored' : 'exists'));
  });
}

async function storeNew(mongo: Mongo, session: ClientSession, now: number, found: readonly NewSignal[]): Promise<void> {
  const flags = await findFlags(
    mongo,
    session,
    found.map(({ signal }) => signal),
  );
  const fresh = found.map((item) => {
    const machine = flags.ofNew.get(item.signal.id) ?? item.signal.machine;
    return { ...item, signal: { ...item.signal, machine } };
  });
  await writeFlags(mongo, session, flags.reasons);
  const signals = fresh.map(({ signal }) => signal);
  const workspaces = new Map(fresh.map(({ signal, workspaceId }) => [signal.messageId, workspaceId]));
  const people = await countSignals(mongo, session, signals, flags.removed, workspaces);
  const told = signals.flatMap(({ messageId, kind }) => (kind === 'hidden' ? [] : [{ messageId, kind }]));
  await tallyForCampaigns(mongo, session, told, people);
  const owners = await readOwners(mongo, session, signals);
  const stored = fresh.map((item) => signalDocument(item, owners.get(item.signal.messageId), now));
  await documents(mongo.db, 'signals').insertMany(stored, { session });
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

/** The contacts of messages that were clicked. */
async function readOwners(
  { db }: Mongo,
  session: ClientSession,
  signals: readonly NewSignal['signal'][],
): Promise<Map<string, number>> {
  const ids = signals.flatMap(({ kind, messageId }) => (kind === 'click' ? [messageId] : []));
  if (ids.length === 0) return new Map();
  const found = documents(db, 'messages').find({ _id: { $in: ids } }, { session, projection: { contactId: 1 } });
  return new Map((await found.toArray()).map(({ _id, contactId }) => [_id, contactId]));
}

function signalDocument(
  { signal, workspaceId, records }: NewSignal,
  owner: number | undefined,
  now: number,
): SignalDocument {
  const { id, messageId, kind, at, link, machine, client = null } = signal;
  const held = records.length === 0 ? {} : { outbox: outboxEntries(records, VERSION), outboxAt: now };
  const seen = { machine, client: isActivity(kind) || kind === 'hidden' ? client : null };
  const contact = kind === 'click' && owner !== undefined ? { contactId: owner } : {};
  return { _id: id, messageId, kind, at, link, ...seen, workspaceId, ...contact, ...held };
}
