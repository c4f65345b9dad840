import type { Attachment, HandOffJob, MessageBody } from '../../domain/message';
import { decideChange } from '../ports/decide-change';
import type { MessageStore } from '../ports/message-store';
import { acceptMessage, findByKey } from './accept-message';
import { applyChange } from './change-message';
import { readContact } from './contact-store';
import { textOut, type Database } from './database';
import type { Commits } from './commits';
import { listMessages } from './list-messages';
import { readHistory, readMessage, readMessageRow, toAttempt, toMessage, type AttemptRow } from './message-rows';

/** Embedded driver of MessageStore. */
export function messageStore(db: Database, commits: Commits): MessageStore {
  return {
    accept: (acceptance) => commits.write((tx) => acceptMessage(tx, acceptance)),
    findByIdempotencyKey: async (workspaceId, key) => findByKey(db, workspaceId, key) ?? null,
    get: async (id) => readMessage(db, id),
    getMany: async (workspaceId, ids) =>
      ids.flatMap((id) => {
        const row = readMessageRow(db, id);
        return row?.workspace_id === workspaceId ? [toMessage(row)] : [];
      }),
    list: async (workspaceId, query) => listMessages(db, workspaceId, query),
    history: async (id) => {
      const row = db.get<{ history: string }>('SELECT history FROM messages WHERE id = ?', id);
      return row ? readHistory(row.history) : [];
    },
    attempts: async (id) =>
      db
        .all<AttemptRow>('SELECT a.* FROM attempts a JOIN messages m ON m.seq = a.seq WHERE m.id = ? ORDER BY a.n', id)
        .map((row) => toAttempt(id, row)),
    job: async (id) => readJob(db, id),
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

function readJob(db: Database, id: string): HandOffJob | null {
  const row = readMessageRow(db, id);
  if (!row) return null;
  return {
    message: toMessage(row),
    contact: readContact(db, row.workspace_id, row.contact_id),
    body: readBody(db, row.seq),
    attachments: row.attachments_until === null ? [] : readAttachments(db, row.seq),
  };
}

function readBody(db: Database, seq: number): MessageBody | null {
  type Row = { html: string | Uint8Array; text: string | Uint8Array | null };
  const row = db.get<Row>('SELECT html, text FROM bodies WHERE seq = ?', seq);
  return row ? { html: textOut(row.html), text: row.text === null ? null : textOut(row.text) } : null;
}

function readAttachments(db: Database, seq: number): Attachment[] {
  return db
    .all<{
      filename: string;
      content_type: string;
      content: Uint8Array;
    }>('SELECT filename, content_type, content FROM attachments WHERE seq = ? ORDER BY n', seq)
    .map((row) => ({
      filename: row.filename,
      contentType: row.content_type,
      content: Buffer.from(row.content.buffer, row.content.byteOffset, row.content.byteLength),
    }));
}
