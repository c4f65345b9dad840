import { isActivity, strongest, type HitKind, type MachineReason } from '../../../domain/engagement/machine';
import type { Signal } from '../../../domain/engagement/signal';
import type { SignalStore } from '../../ports/signal-store';
import type { Database } from '../database/database';
import type { Commits } from '../database/commits';
import { countSignal } from './count-signals';
import { flagNeighbours, flagTime } from './machine-flags';

interface Row {
  id: string;
  message_id: string;
  kind: Signal['kind'];
  at: number;
  link: number | null;
  machine: MachineReason | null;
}

const toSignal = (row: Row): Signal => ({
  id: row.id,
  messageId: row.message_id,
  kind: row.kind,
  at: row.at,
  link: row.link,
  machine: row.machine,
});

const byTime = (a: Signal, b: Signal): number => a.at - b.at || (a.id < b.id ? -1 : 1);

/** Embedded driver of SignalStore. */
export function signalStore(db: Database, commits: Commits): SignalStore {
  return {
    store: (hit, workspaceId, records) =>
      commits.write((tx) => {
        const stored = db.run(
          `INSERT OR IGNORE INTO signals (id, message_id, workspace_id, kind, at, link, machine, client, contact_id)
           VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8,
             iif(?4 = 'click', (SELECT contact_id FROM messages WHERE id = ?2), NULL))`,
          hit.id,
          hit.messageId,
          workspaceId,
          hit.kind,
          hit.at,
          hit.link,
          hit.machine,
          hit.client ?? null,
        );
        if (stored === 0) return 'exists';
        const change = flagNeighbours(db, { ...hit, client: hit.client ?? null });
        countSignal(db, { messageId: hit.messageId, workspaceId }, isSignal(hit) ? hit : null, change);
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
        .all<Pick<Row, 'machine'>>(
          'SELECT machine FROM signals WHERE message_id = ? AND kind = ? AND at = ? AND link IS ?',
          messageId,
          kind,
          at,
          link,
        )
        .reduce<MachineReason | null>((reason, { machine }) => strongest(reason, machine), null),
    ofMessage: async (messageId) =>
      // The index orders signals by kind first.
      db
        .all<Row>(`SELECT * FROM signals WHERE message_id = ? AND kind <> 'hidden'`, messageId)
        .map(toSignal)
        .sort(byTime),
  };
}

const isSignal = <T extends { kind: HitKind }>(hit: T): hit is T & { kind: Signal['kind'] } =>
  hit.kind === 'unsubscribe' || isActivity(hit.kind);
