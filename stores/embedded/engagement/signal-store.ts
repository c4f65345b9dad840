import {
  isActivity,
  strongest,
  type HitKind,
  type MachineReason,
  type PlacedHit,
} from '../../../domain/engagement/machine';
import type { Signal } from '../../../domain/engagement/signal';
import type { SignalStore } from '../../ports/signal-store';
import { ColumnList, columns } from '../database/columns';
import type { Database } from '../database/database';
import type { Commits } from '../database/commits';
import { countSignal } from './count-signals';
import { flagNeighbours, flagTime } from './machine-flags';

interface StoredHit extends PlacedHit {
  messageId: string;
  workspaceId: number;
  /** Clicks only. */
  contactId: number | null;
}
const HIT = new ColumnList<StoredHit>(
  'signals',
  columns('id', 'messageId', 'workspaceId', 'kind', 'at', 'link', 'machine', 'client', 'contactId'),
);
const SIGNAL = HIT.without('workspaceId', 'client', 'contactId');

const byTime = (a: Signal, b: Signal): number => a.at - b.at || (a.id < b.id ? -1 : 1);

/** Embedded driver of SignalStore. */
export function signalStore(db: Database, commits: Commits): SignalStore {
  return {
    store: (hit, workspaceId, records) =>
      commits.write((tx) => {
        const { id, messageId, kind, at, link, machine, client = null } = hit;
        const placed = { id, messageId, kind, at, link, machine, client };
        const contactId = kind === 'click' ? contactOf(db, messageId) : null;
        if (!HIT.insertNew(db, { ...placed, workspaceId, contactId })) return 'exists';
        const change = flagNeighbours(db, placed);
        countSignal(db, { messageId, workspaceId }, isSignal(hit) ? hit : null, change);
        tx.emit(records);
        return 'stored';
      }),
    flag: (messageId, workspaceId, time) =>
      commits.write(() => {
        const change = flagTime(db, messageId, time);
        if (change.removed > 0) countSignal(db, { messageId, workspaceId }, null, change);
      }),
    reasonAt: async ({ messageId, kind, at, link }) =>
      db
        .all<Pick<StoredHit, 'machine'>>(
          'SELECT machine FROM signals WHERE message_id = ? AND kind = ? AND at = ? AND link IS ?',
          messageId,
          kind,
          at,
          link,
        )
        .reduce<MachineReason | null>((reason, { machine }) => strongest(reason, machine), null),
    ofMessage: async (messageId) =>
      // The index orders signals by kind first.
      SIGNAL.all(db, `WHERE message_id = ? AND kind <> 'hidden'`, messageId).filter(isSignal).sort(byTime),
  };
}

const isSignal = <T extends { kind: HitKind }>(hit: T): hit is T & { kind: Signal['kind'] } =>
  hit.kind === 'unsubscribe' || isActivity(hit.kind);

/** The contact of a message; null if there is no such message. */
const contactOf = (db: Database, messageId: string): number | null =>
  db.get<{ id: number }>('SELECT contact_id AS id FROM messages WHERE id = ?', messageId)?.id ?? null;
