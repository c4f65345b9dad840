import type { ClientSession, Filter } from 'mongodb';
import {
  reasonsOfNeighbours,
  strongest,
  windowsAround,
  type MachineReason,
  type PlacedHit,
} from '../../../domain/engagement/machine';
import type { NewHit } from '../../../domain/engagement/signal';
import type { FlaggedTime } from '../../ports/signal-store';
import type { Mongo } from '../database/client';
import { documents } from '../database/documents';
import type { SignalDocument } from './engagement-documents';

/** A hit of a message. */
export type MailHit = PlacedHit & { messageId: string };

/** What becomes of stored signals. */
export interface FoundFlags {
  /** The new reasons of stored signals, by id. */
  reasons: ReadonlyMap<string, MachineReason>;
  /** Those that counted as a person's until now. */
  removed: readonly MailHit[];
}

/** What new hits and their neighbours show; call it in the transaction that stores them. `ofNew` is by id. */
export async function findFlags(
  mongo: Mongo,
  session: ClientSession,
  hits: readonly NewHit[],
): Promise<FoundFlags & { ofNew: ReadonlyMap<string, MachineReason> }> {
  const windows = hits.flatMap((hit): Filter<SignalDocument>[] =>
    windowsAround(hit).map(({ kind, from, to }) => ({
      messageId: hit.messageId,
      kind,
      at: { $gte: from, $lte: to },
    })),
  );
  const stored = windows.length === 0 ? [] : await readHits(mongo, session, { $or: windows });
  const byMail = new Map<string, PlacedHit[]>();
  for (const hit of [...stored, ...hits.map((hit) => ({ ...hit, client: hit.client ?? null }))]) {
    byMail.set(hit.messageId, [...(byMail.get(hit.messageId) ?? []), hit]);
  }
  const found = new Map([...byMail.values()].flatMap((ofMail) => [...reasonsOfNeighbours(ofMail)]));
  const fresh = new Set(hits.map(({ id }) => id));
  return {
    ofNew: new Map([...found].filter(([id]) => fresh.has(id))),
    reasons: new Map([...found].filter(([id]) => !fresh.has(id))),
    removed: stored.filter(({ id, machine }) => machine === null && found.has(id)),
  };
}

/** The opens and clicks of a time that get a new or a stronger reason. */
export async function findTime(
  mongo: Mongo,
  session: ClientSession,
  messageId: string,
  { from, to, reason }: FlaggedTime,
): Promise<FoundFlags> {
  const kinds: SignalDocument['kind'][] = ['open', 'click'];
  const filter = { messageId, kind: { $in: kinds }, at: { $gte: from, $lte: to } };
  const hits = await readHits(mongo, session, filter);
  const changed = hits.filter(({ machine }) => strongest(machine, reason) !== machine);
  return {
    reasons: new Map(changed.map(({ id }) => [id, reason])),
    removed: changed.filter(({ machine }) => machine === null),
  };
}

async function readHits({ db }: Mongo, session: ClientSession, filter: Filter<SignalDocument>): Promise<MailHit[]> {
  const found = documents(db, 'signals').find(filter, {
    session,
    projection: { messageId: 1, kind: 1, at: 1, link: 1, machine: 1, client: 1 },
  });
  return (await found.toArray()).map(({ _id: id, messageId, kind, at, link, machine, client }) => ({
    id,
    messageId,
    kind,
    at,
    link,
    machine,
    client,
  }));
}

/** Writes the reasons. */
export async function writeFlags(
  { db }: Mongo,
  session: ClientSession,
  reasons: ReadonlyMap<string, MachineReason>,
): Promise<void> {
  if (reasons.size === 0) return;
  await documents(db, 'signals').bulkWrite(
    [...reasons].map(([_id, machine]) => ({ updateOne: { filter: { _id }, update: { $set: { machine } } } })),
    { session },
  );
}
