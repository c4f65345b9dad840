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
import { readHistory, readMessage } from './message-codec';
import { ATTEMPT, LINKS } from './message-fields';

const OWN_ATTEMPT = ATTEMPT.without('seq');

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
      OWN_ATTEMPT.all(db, 'WHERE seq = (SELECT seq FROM messages WHERE id = ?) ORDER BY n', id).map((attempt) => ({
        messageId: id,
        ...attempt,
      })),
    job: async (id, upTo) => {
      const row = readJobRow(db, id, upTo);
      return row && toJob(row, db, shared);
    },
    links: async (id) => [...(LINKS.get(db, 'WHERE seq = (SELECT seq FROM messages WHERE id = ?)', id)?.urls ?? [])],
    change: (id, decide, known) =>
      decideChange(
        async () => readMessage(db, id),
        ({ version }, change) => commits.write((tx) => applyChange(tx, id, version, change)),
        decide,
        known,
      ),
  };
}
