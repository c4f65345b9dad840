import { decideChange } from '../../shared/decide-change';
import { SharedBodies } from '../../shared/shared-bodies';
import type { MessageStore } from '../../ports/message-store';
import { acceptMessages, findByKey } from './accept-messages';
import { applyChange } from './change-message';
import type { Database } from '../database/database';
import type { Commits } from '../database/commits';
import { readJobRow, toJob } from './read-job';
import { findMessages, isSearch } from './find-messages';
import { listMessages } from './list-messages';
import { readHistory, readMessage, toAttempt, type AttemptRow } from './message-codec';

/** Embedded driver of MessageStore. */
export function messageStore(db: Database, commits: Commits): MessageStore {
  const shared = new SharedBodies();
  return {
    accept: (acceptances) => commits.write((tx) => acceptMessages(tx, acceptances)),
    findByIdempotencyKey: async (workspaceId, key) => findByKey(db, workspaceId, key) ?? null,
    get: async (id) => readMessage(db, id),
    getMany: async (workspaceId, ids) =>
      ids.flatMap((id) => {
        const message = readMessage(db, id);
        return message?.workspaceId === workspaceId ? [message] : [];
      }),
    list: async (workspaceId, query) =>
      isSearch(query) ? findMessages(db, workspaceId, query) : listMessages(db, workspaceId, query),
    history: async (id) => {
      const row = db.get<{ history: string }>('SELECT history FROM messages WHERE id = ?', id);
      return row ? readHistory(row.history) : [];
    },
    attempts: async (id) =>
      db
        .all<AttemptRow>('SELECT a.* FROM attempts a JOIN messages m ON m.seq = a.seq WHERE m.id = ? ORDER BY a.n', id)
        .map((row) => toAttempt(id, row)),
    job: async (id, upTo) => {
      const row = readJobRow(db, id, upTo);
      return row && toJob(row, db, shared);
    },
    links: async (id) => {
      const row = db.get<{ urls: string }>(
        'SELECT l.urls FROM links l JOIN messages m ON m.seq = l.seq WHERE m.id = ?',
        id,
      );
      return row ? (JSON.parse(row.urls) as string[]) : [];
    },
    change: (id, decide, known) =>
      decideChange(
        async () => readMessage(db, id),
        ({ version }, change) => commits.write((tx) => applyChange(tx, id, version, change)),
        decide,
        known,
      ),
  };
}
