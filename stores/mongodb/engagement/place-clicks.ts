import type { Db } from 'mongodb';
import { documents } from '../database/documents';
import type { SignalDocument } from './engagement-documents';

/** Signals per step. */
const STEP = 1_000;

/** A signal of schema version 1: it holds the destination itself, null except for clicks. */
type OlderSignal = Omit<SignalDocument, 'link'> & { url?: string | null };

/**
 * Replaces the destination in signals of schema version 1, which may hold the recipient's address, with its place in
 * the message's list of links; with none when the list does not contain it. May run again, and in several processes at
 * once.
 */
export async function placeClicks(db: Db): Promise<void> {
  const signals = db.collection<OlderSignal>('signals');
  for (let after = ''; ;) {
    const step = await signals
      .find({ _id: { $gt: after } }, { projection: { messageId: 1, url: 1 } })
      .sort({ _id: 1 })
      .limit(STEP)
      .toArray();
    const last = step.at(-1)?._id;
    if (last === undefined) return;
    await place(
      db,
      step.filter(({ url }) => url !== undefined),
    );
    after = last;
  }
}

async function place(db: Db, older: readonly Pick<OlderSignal, '_id' | 'messageId' | 'url'>[]): Promise<void> {
  if (older.length === 0) return;
  const messages = documents(db, 'messages').find(
    { _id: { $in: [...new Set(older.map(({ messageId }) => messageId))] } },
    { projection: { links: 1 } },
  );
  const linksOf = new Map((await messages.toArray()).map(({ _id, links = [] }) => [_id, links]));
  await db.collection<SignalDocument & OlderSignal>('signals').bulkWrite(
    older.map(({ _id, messageId, url }) => {
      const link = url ? (linksOf.get(messageId) ?? []).indexOf(url) : -1;
      const update = { $set: { link: link < 0 ? null : link }, $unset: { url: '' as const } };
      return { updateOne: { filter: { _id }, update } };
    }),
    { ordered: false },
  );
}
