import type { Signal, SignalKind } from '../../domain/signal';
import type { SignalStore } from '../ports/signal-store';
import type { Database } from './database';
import type { Commits } from './commits';

interface Row {
  id: string;
  message_id: string;
  kind: SignalKind;
  at: number;
  url: string | null;
}

const toSignal = (row: Row): Signal => ({
  id: row.id,
  messageId: row.message_id,
  kind: row.kind,
  at: row.at,
  url: row.url,
});

/** Embedded driver of SignalStore. */
export function signalStore(db: Database, commits: Commits): SignalStore {
  return {
    store: (signal, workspaceId, records) =>
      commits.write((tx) => {
        const stored = db.run(
          'INSERT OR IGNORE INTO signals (id, message_id, workspace_id, kind, at, url) VALUES (?, ?, ?, ?, ?, ?)',
          signal.id,
          signal.messageId,
          workspaceId,
          signal.kind,
          signal.at,
          signal.url,
        );
        if (stored === 0) return 'exists';
        tx.emit(records);
        return 'stored';
      }),
    ofMessage: async (messageId) =>
      db.all<Row>('SELECT * FROM signals WHERE message_id = ? ORDER BY at, id', messageId).map(toSignal),
  };
}
