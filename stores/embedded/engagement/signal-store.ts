import type { Signal, SignalKind } from '../../../domain/signal';
import type { SignalStore } from '../../ports/signal-store';
import type { Database } from '../database/database';
import type { Commits } from '../database/commits';
import { tallyForCampaign } from './campaign-tallies';
import { rollUpSignal } from './roll-ups';

interface Row {
  id: string;
  message_id: string;
  kind: SignalKind;
  at: number;
  link: number | null;
}

const toSignal = (row: Row): Signal => ({
  id: row.id,
  messageId: row.message_id,
  kind: row.kind,
  at: row.at,
  link: row.link,
});

const byTime = (a: Signal, b: Signal): number => a.at - b.at || (a.id < b.id ? -1 : 1);

/** Embedded driver of SignalStore. */
export function signalStore(db: Database, commits: Commits): SignalStore {
  return {
    store: (signal, workspaceId, records) =>
      commits.write((tx) => {
        const stored = db.run(
          'INSERT OR IGNORE INTO signals (id, message_id, workspace_id, kind, at, link) VALUES (?, ?, ?, ?, ?, ?)',
          signal.id,
          signal.messageId,
          workspaceId,
          signal.kind,
          signal.at,
          signal.link,
        );
        if (stored === 0) return 'exists';
        rollUpSignal(db, signal, workspaceId);
        tallyForCampaign(db, signal);
        tx.emit(records);
        return 'stored';
      }),
    ofMessage: async (messageId) =>
      // The index orders signals by kind first.
      db.all<Row>('SELECT * FROM signals WHERE message_id = ?', messageId).map(toSignal).sort(byTime),
  };
}
