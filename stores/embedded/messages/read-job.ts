import type { Attachment, HandOffJob } from '../../../domain/message';
import { CONTACT } from '../contacts/contact-fields';
import { textOut, type Database, type Value } from '../database/database';
import { MESSAGE } from './message-fields';

const SELECT_JOB = `SELECT m.seq, m.attachments_until IS NOT NULL, c.id IS NOT NULL, b.html, b.text,
    ${MESSAGE.select('m')}, ${CONTACT.select('c')}
  FROM messages m LEFT JOIN contacts c ON c.id = m.contact_id AND c.workspace_id = m.workspace_id
  LEFT JOIN bodies b ON b.seq = m.seq WHERE m.id = ?`;

/** The values before the columns of message and contact. */
type Head = readonly [
  seq: number,
  hasAttachments: 0 | 1,
  hasContact: 0 | 1,
  html: string | Uint8Array | null,
  text: string | Uint8Array | null,
];
const MESSAGE_FROM = 5 satisfies Head['length'];
const CONTACT_FROM = MESSAGE_FROM + MESSAGE.names.length;

interface AttachmentRow {
  filename: string;
  content_type: string;
  content: Uint8Array;
}

/** A HandOffJob in the form sent between threads: the values of its forty columns without their names. */
export interface JobRow {
  values: readonly [...Head, ...Value[]];
  attachments: AttachmentRow[];
}

/** Reads the job of a message, or null if there is no such message. */
export function readJobRow(db: Database, id: string): JobRow | null {
  const values = db.values(SELECT_JOB, id) as JobRow['values'] | undefined;
  if (!values) return null;
  const [seq, hasAttachments] = values;
  return { values, attachments: hasAttachments ? readAttachments(db, seq) : [] };
}

function readAttachments(db: Database, seq: number): AttachmentRow[] {
  return db.all('SELECT filename, content_type, content FROM attachments WHERE seq = ? ORDER BY n', seq);
}

/** Converts a row to a HandOffJob, on either side of a thread. */
export function toJob({ values, attachments }: JobRow): HandOffJob {
  const [, , hasContact, html, text] = values;
  return {
    message: MESSAGE.decodeFrom(values, MESSAGE_FROM),
    contact: hasContact ? CONTACT.decodeFrom(values, CONTACT_FROM) : null,
    body: html === null ? null : { html: textOut(html), text: text === null ? null : textOut(text) },
    attachments: attachments.map(toAttachment),
  };
}

/** A Buffer sent between threads becomes a plain Uint8Array. */
function toAttachment({ filename, content_type: contentType, content }: AttachmentRow): Attachment {
  return { filename, contentType, content: Buffer.from(content.buffer, content.byteOffset, content.byteLength) };
}
