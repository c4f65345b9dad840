import type { SignalStore } from '../ports/signal-store';
import type { Mongo } from './client';
import { documents, toDocument } from './documents';
import { guarded, upserting } from './guard';
import { outboxEntries } from './message-documents';
import type { Outbox } from './outbox';

/** A signal is written once. */
const VERSION = 1;

/** MongoDB driver of SignalStore. */
export function signalStore(mongo: Mongo, outbox: Outbox, now: () => number): SignalStore {
  const signals = documents(mongo.db, 'signals');
  return guarded<SignalStore>({
    store: async (signal, workspaceId, records) => {
      const { _id, ...fields } = toDocument(signal);
      const held = records.length === 0 ? {} : { outbox: outboxEntries(records, VERSION), outboxAt: now() };
      // An upsert also where the signal is there already: `exists` is answered only once that is durable.
      const { upsertedCount } = await upserting(() =>
        signals.updateOne({ _id }, { $setOnInsert: { ...fields, workspaceId, ...held } }, { upsert: true }),
      );
      if (upsertedCount === 0) return 'exists';
      outbox.hand({ holder: 'signals', id: signal.id, v: VERSION, records });
      return 'stored';
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
