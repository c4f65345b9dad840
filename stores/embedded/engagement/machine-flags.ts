import { lastActivity, type LastActivity, type PeopleChange } from '../../../domain/engagement/engagement';
import {
  isActivity,
  reasonsOfNeighbours,
  strongest,
  windowsAround,
  type MachineReason,
  type PlacedHit,
} from '../../../domain/engagement/machine';
import type { FlaggedTime } from '../../ports/signal-store';
import type { Database } from '../database/database';

/** The change of the counts of people, and how many earlier signals do not count any more. */
export interface FlagChange extends PeopleChange {
  removed: number;
}

/** Flags what a hit shows that the same transaction has just stored: itself, or its neighbours. */
export function flagNeighbours(db: Database, hit: PlacedHit & { messageId: string }): FlagChange {
  const { id, messageId, kind, at } = hit;
  const hits = [hit, ...neighboursOf(db, hit)];
  const reasons = reasonsOfNeighbours(hits);
  const isPerson = isActivity(kind) && hit.machine === null && !reasons.has(id);
  const before = lastOfPeople(db, messageId, id);
  const removed = setReasons(db, hits, reasons).filter((other) => other.id !== id);
  const rest = removed.length === 0 ? before : lastOfPeople(db, messageId, id);
  const clicks = removed.filter((other) => other.kind === 'click').map((other) => ({ at: other.at, by: -1 as const }));
  return {
    before,
    after: isPerson ? lastActivity(rest, { kind, at }) : rest,
    clicks: isPerson && kind === 'click' ? [...clicks, { at, by: 1 }] : clicks,
    removed: removed.length,
  };
}

/** Flags all opens and clicks of a time. */
export function flagTime(db: Database, messageId: string, { from, to, reason }: FlaggedTime): FlagChange {
  const hits = (['open', 'click'] as const).flatMap((kind) => readHits(db, messageId, { kind, from, to }));
  const reasons = new Map<string, MachineReason>();
  for (const { id, machine } of hits) if (strongest(machine, reason) !== machine) reasons.set(id, reason);
  const before = lastOfPeople(db, messageId, '');
  const removed = setReasons(db, hits, reasons);
  const clicks = removed.filter(({ kind }) => kind === 'click').map(({ at }) => ({ at, by: -1 as const }));
  return { before, after: lastOfPeople(db, messageId, ''), clicks, removed: removed.length };
}

const neighboursOf = (db: Database, hit: PlacedHit & { messageId: string }): PlacedHit[] =>
  windowsAround(hit)
    .flatMap((window) => readHits(db, hit.messageId, window))
    .filter(({ id }) => id !== hit.id);

function readHits(
  db: Database,
  messageId: string,
  { kind, from, to }: { kind: string; from: number; to: number },
): PlacedHit[] {
  return db.all<PlacedHit>(
    `SELECT id, kind, at, link, client, machine FROM signals
     WHERE message_id = ? AND kind = ? AND at BETWEEN ? AND ?`,
    messageId,
    kind,
    from,
    to,
  );
}

/** Returns the hits that counted as a person's until now. */
function setReasons(
  db: Database,
  hits: readonly PlacedHit[],
  reasons: ReadonlyMap<string, MachineReason>,
): PlacedHit[] {
  for (const [id, reason] of reasons) db.run('UPDATE signals SET machine = ? WHERE id = ?', reason, id);
  return hits.filter(({ id, machine }) => machine === null && reasons.has(id));
}

/** The last open and click of people, without one signal. */
function lastOfPeople(db: Database, messageId: string, without: string): LastActivity {
  const last = (kind: 'open' | 'click'): number | null =>
    db.get<{ at: number }>(
      `SELECT at FROM signals WHERE message_id = ? AND kind = ? AND machine IS NULL AND id <> ?
       ORDER BY at DESC LIMIT 1`,
      messageId,
      kind,
      without,
    )?.at ?? null;
  const [opened, clicked] = [last('open'), last('click')];
  const either = Math.max(opened ?? -1, clicked ?? -1);
  return { openedAt: either < 0 ? null : either, clickedAt: clicked };
}
