import type { ClientSession, Filter } from 'mongodb';
import { clickPeriod, qualifies, type Click } from '../../../domain/conversions/attribution';
import type { Conversion } from '../../../domain/conversions/conversion';
import { clickOwner, type ClickOwner } from '../../shared/conversion-facts';
import type { Mongo } from '../database/client';
import { documents } from '../database/documents';
import type { SignalDocument } from '../engagement/engagement-documents';

/** Clicks read at once while looking for one that qualifies. */
const STEP = 20;

const ofOwner = (owner: ClickOwner): Filter<SignalDocument> =>
  owner.kind === 'message'
    ? { messageId: owner.messageId, kind: 'click', workspaceId: owner.workspaceId }
    : { contactId: owner.contactId };

interface Reading {
  which: Filter<SignalDocument>;
  order: 1 | -1;
  limit: number;
  session?: ClientSession;
}

async function readClicks(
  { db }: Mongo,
  owner: ClickOwner,
  { which, order, limit, session }: Reading,
): Promise<Click[]> {
  const found = documents(db, 'signals')
    .find(
      { $and: [ofOwner(owner), which] },
      { ...(session && { session }), projection: { messageId: 1, at: 1, link: 1, machine: 1 } },
    )
    .sort({ at: order, _id: order })
    .limit(limit)
    .hint(owner.kind === 'message' ? 'signals_of_message' : 'signals_of_contact');
  return (await found.toArray()).map(({ _id: id, messageId, at, link, machine }) => ({
    id,
    messageId,
    at,
    link,
    machine,
  }));
}

/** Clicks up to a time, newest first. */
export const clicksUpTo = (
  mongo: Mongo,
  owner: ClickOwner,
  to: number,
  limit: number,
  session?: ClientSession,
): Promise<Click[]> =>
  readClicks(mongo, owner, { which: { at: { $lte: to } }, order: -1, limit, ...(session && { session }) });

/** Clicks after a time, oldest first. */
export const clicksAfter = (mongo: Mongo, owner: ClickOwner, after: number, limit: number): Promise<Click[]> =>
  readClicks(mongo, owner, { which: { at: { $gt: after } }, order: 1, limit });

/** The last click that qualifies; null when there is none. It reads on only behind clicks that do not. */
export async function lastClick(mongo: Mongo, session: ClientSession, sale: Conversion): Promise<Click | null> {
  const owner = clickOwner(sale);
  if (!owner) return null;
  const { from, to } = clickPeriod(sale);
  for (let page = await clicksUpTo(mongo, owner, to, STEP, session); ;) {
    const found = page.find((click) => qualifies(sale, click));
    if (found) return found;
    const last = page.at(-1);
    if (page.length < STEP || !last || last.at < from) return null;
    const behind = { at: { $lte: last.at }, $or: [{ at: { $lt: last.at } }, { _id: { $lt: last.id } }] };
    page = await readClicks(mongo, owner, { which: behind, order: -1, limit: STEP, session });
  }
}
