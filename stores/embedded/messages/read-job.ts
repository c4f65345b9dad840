import type { Attachment, HandOffJob, Message, MessageBody, Variables } from '../../../domain/messages/message';
import type { SharedBodies } from '../../shared/shared-bodies';
import { CONTACT } from '../contacts/contact-fields';
import { textOut, type Database, type Value } from '../database/database';
import { ATTACHMENT, MESSAGE } from './message-fields';

// SQLite takes the size of a value from the head of its row, without reading the value itself.
const BODY_BYTES = 'octet_length(b.html) + coalesce(octet_length(b.text), 0)';
const CAMPAIGN_BYTES = 'octet_length(k.html) + coalesce(octet_length(k.text), 0)';
const JOURNEY_BYTES = 'octet_length(j.html) + coalesce(octet_length(j.text), 0)';
/** The content of the message itself, or of its campaign or journey; only the former is in the row. */
const CONTENT_BYTES = `coalesce(${BODY_BYTES}, ${CAMPAIGN_BYTES}, ${JOURNEY_BYTES}, 0)`;
const part = (column: 'html' | 'text'): string => `iif(${CONTENT_BYTES} > ?2, NULL, b.${column})`;
const ATTACHMENT_BYTES = `iif(m.attachments_until IS NULL, 0,
    (SELECT coalesce(sum(octet_length(a.content)), 0) FROM attachments a WHERE a.seq = m.seq))`;
const SELECT_JOB = `SELECT m.seq, m.attachments_until IS NOT NULL, c.id IS NOT NULL, ${CONTENT_BYTES},
    ${ATTACHMENT_BYTES}, ${part('html')}, ${part('text')}, (SELECT preheader FROM campaigns WHERE id = m.campaign_id),
    b.variables,
    ${MESSAGE.select('m')}, ${CONTACT.select('c')}
  FROM messages m LEFT JOIN contacts c ON c.id = m.contact_id AND c.workspace_id = m.workspace_id
  LEFT JOIN bodies b ON b.seq = m.seq LEFT JOIN campaigns k ON k.id = m.campaign_id AND m.lane = 'campaign'
  LEFT JOIN journey_mails j ON j.journey_id = m.journey_id AND j.version = m.journey_version AND j.step = m.journey_step
  WHERE m.id = ?1`;

/** The values before the columns of message and contact. */
type Head = readonly [
  seq: number,
  hasAttachments: 0 | 1,
  hasContact: 0 | 1,
  bodyBytes: number,
  attachmentBytes: number,
  html: string | Uint8Array | null,
  text: string | Uint8Array | null,
  preheader: string | Uint8Array | null,
  variables: string | null,
];
const MESSAGE_FROM = 9 satisfies Head['length'];
const CONTACT_FROM = MESSAGE_FROM + MESSAGE.names.length;

const FILE = ATTACHMENT.without('seq', 'n');
type StoredFile = ReturnType<typeof FILE.fromRow>;

/** A HandOffJob in the form sent between threads: the values of its forty columns without their names. */
export interface JobRow {
  values: readonly [...Head, ...Value[]];
  /** Null: the content is larger than asked for. */
  attachments: StoredFile[] | null;
}

/** Reads the job of a message, or null if there is no such message. See MessageStore.job. */
export function readJobRow(db: Database, id: string, upTo = Number.MAX_SAFE_INTEGER): JobRow | null {
  const values = db.values(SELECT_JOB, id, upTo) as JobRow['values'] | undefined;
  if (!values) return null;
  const [seq, hasAttachments, , bodyBytes, attachmentBytes] = values;
  if (bodyBytes + attachmentBytes > upTo) return { values, attachments: null };
  return { values, attachments: hasAttachments ? readAttachments(db, seq) : [] };
}

/** The bytes of a row that can be moved to another thread instead of being copied. */
export const movableBytes = (row: JobRow | null): ArrayBuffer[] =>
  (row?.attachments ?? []).flatMap(({ content: { buffer, byteLength } }) =>
    byteLength > 0 && byteLength === buffer.byteLength ? [buffer as ArrayBuffer] : [],
  );

const readAttachments = (db: Database, seq: number): StoredFile[] => FILE.all(db, 'WHERE seq = ? ORDER BY n', seq);

/** The content that a message has from its campaign or journey, read with `db` unless it is known. */
function readSharedBody(db: Database, shared: SharedBodies, message: Message): MessageBody | null {
  const { campaignId, journeyId, journeyVersion, journeyStep } = message;
  const isCampaign = message.lane === 'campaign' && campaignId !== null;
  if (!isCampaign && journeyId === null) return null;
  const id = isCampaign ? `campaign ${campaignId}` : `journey ${journeyId} ${journeyVersion} ${journeyStep}`;
  const known = shared.get(id);
  if (known) return known.body;
  const row = isCampaign
    ? db.get<SharedRow>('SELECT html, text FROM campaigns WHERE id = ?', campaignId)
    : db.get<SharedRow>(
        'SELECT html, text FROM journey_mails WHERE journey_id = ? AND version = ? AND step = ?',
        journeyId,
        journeyVersion,
        journeyStep,
      );
  if (row?.html == null) return null;
  return shared.keep(id, { html: textOut(row.html), text: row.text === null ? null : textOut(row.text) }).body;
}

interface SharedRow {
  html: string | Uint8Array | null;
  text: string | Uint8Array | null;
}

/**
 * Converts a row to a HandOffJob, on either side of a thread. Content that messages share is read with `db`: it does
 * not cross the thread with each of them.
 */
export function toJob({ values, attachments }: JobRow, db: Database, shared: SharedBodies): HandOffJob {
  const [, , hasContact, bodyBytes, attachmentBytes, html, text, preheaderText, variables] = values;
  const message = MESSAGE.decodeFrom(values, MESSAGE_FROM);
  const contact = hasContact ? CONTACT.decodeFrom(values, CONTACT_FROM) : null;
  const preheader = preheaderText === null ? null : textOut(preheaderText);
  if (!attachments) {
    return {
      message,
      contact,
      body: null,
      attachments: [],
      preheader,
      withheld: { body: bodyBytes, attachments: attachmentBytes },
    };
  }
  return {
    message,
    contact,
    body:
      html === null
        ? readSharedBody(db, shared, message)
        : {
            html: textOut(html),
            text: text === null ? null : textOut(text),
            ...(variables !== null && { variables: JSON.parse(variables) as Variables }),
          },
    attachments: attachments.map(toAttachment),
    preheader,
  };
}

/** A Buffer sent between threads becomes a plain Uint8Array. */
function toAttachment({ filename, contentType, content }: StoredFile): Attachment {
  return { filename, contentType, content: Buffer.from(content.buffer, content.byteOffset, content.byteLength) };
}
