import type { Attachment, HandOffJob } from '../../../domain/message';
import { toContact, type ContactRow } from '../contacts/contact-store';
import { textOut, type Database, type Value } from '../database/database';
import { MESSAGE_FIELDS, toMessage, type MessageRow } from './message-codec';

const CONTACT_FIELDS = [
  ...(['id', 'workspace_id', 'email', 'email_hash', 'name', 'status'] as const),
  ...(['subscribed_at', 'unsubscribed_at', 'created_at', 'updated_at'] as const),
] satisfies (keyof ContactRow)[];

const columns = (table: string, fields: readonly string[]): string =>
  fields.map((field) => `${table}.${field}`).join(', ');

const SELECT_JOB = `SELECT ${columns('m', MESSAGE_FIELDS)}, ${columns('c', CONTACT_FIELDS)}, b.html, b.text
  FROM messages m LEFT JOIN contacts c ON c.id = m.contact_id AND c.workspace_id = m.workspace_id
  LEFT JOIN bodies b ON b.seq = m.seq WHERE m.id = ?`;

const CONTACT_FROM = MESSAGE_FIELDS.length;
const BODY_FROM = CONTACT_FROM + CONTACT_FIELDS.length;
const SEQ = MESSAGE_FIELDS.indexOf('seq');
const ATTACHMENTS_UNTIL = MESSAGE_FIELDS.indexOf('attachments_until');

interface AttachmentRow {
  filename: string;
  content_type: string;
  content: Uint8Array;
}

/** A HandOffJob as it passes between threads: the values of its columns without their names, of which there are forty. */
export interface JobRow {
  values: Value[];
  attachments: AttachmentRow[];
}

/** The job of a message, or null when there is no such message. */
export function readJobRow(db: Database, id: string): JobRow | null {
  const values = db.values(SELECT_JOB, id);
  if (!values) return null;
  return { values, attachments: values[ATTACHMENTS_UNTIL] === null ? [] : readAttachments(db, values[SEQ] as number) };
}

function readAttachments(db: Database, seq: number): AttachmentRow[] {
  return db.all('SELECT filename, content_type, content FROM attachments WHERE seq = ? ORDER BY n', seq);
}

/** A HandOffJob from its row, on whichever side of a thread. */
export function toJob({ values, attachments }: JobRow): HandOffJob {
  const [html = null, text = null] = values.slice(BODY_FROM) as (string | Uint8Array | null)[];
  return {
    message: toMessage(named<MessageRow>(MESSAGE_FIELDS, values, 0)),
    contact: values[CONTACT_FROM] === null ? null : toContact(named<ContactRow>(CONTACT_FIELDS, values, CONTACT_FROM)),
    body: html === null ? null : { html: textOut(html), text: text === null ? null : textOut(text) },
    attachments: attachments.map(toAttachment),
  };
}

/** Between threads a Buffer becomes a plain Uint8Array. */
function toAttachment({ filename, content_type: contentType, content }: AttachmentRow): Attachment {
  return { filename, contentType, content: Buffer.from(content.buffer, content.byteOffset, content.byteLength) };
}

/** The row whose fields stand in `values` from `start` on. */
function named<T>(fields: readonly (keyof T)[], values: readonly Value[], start: number): T {
  const row: Partial<Record<keyof T, Value>> = {};
  for (let i = 0; i < fields.length; i++) row[fields[i]!] = values[start + i]!;
  return row as T;
}
