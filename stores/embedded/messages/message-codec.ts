import type { Attempt, AttemptOutcome, Message, MessageState, Metadata, StatusChange } from '../../../domain/message';
import type { Transaction } from '../database/commits';
import { textOut, type Database, type Value } from '../database/database';

export interface MessageRow {
  seq: number;
  id: string;
  workspace_id: number;
  contact_id: number;
  domain_id: number;
  channel: Message['channel'];
  lane: Message['lane'];
  campaign_id: number | null;
  recipient: string | null;
  recipient_text: string | null;
  subject: string | Uint8Array;
  from_email: string;
  from_name: string | Uint8Array;
  reply_to: string | null;
  metadata: string | null;
  created_at: number;
  status: Message['status'];
  failed_reason: string | null;
  dispatched_at: number | null;
  due_at: number | null;
  attempt: number;
  first_claimed_at: number | null;
  fence: string | null;
  fenced_at: number | null;
  unknown: number;
  reopenable: Message['reopenable'];
  complained_at: number | null;
  attachments_until: number | null;
  version: number;
}

/** Every column a Message is made of; the history is read on its own. */
export const MESSAGE_FIELDS = [
  ...(['seq', 'id', 'workspace_id', 'contact_id', 'domain_id', 'channel', 'lane', 'campaign_id'] as const),
  ...(['recipient', 'recipient_text', 'subject', 'from_email', 'from_name', 'reply_to', 'metadata'] as const),
  ...(['created_at', 'status', 'failed_reason', 'dispatched_at', 'due_at', 'attempt', 'first_claimed_at'] as const),
  ...(['fence', 'fenced_at', 'unknown', 'reopenable', 'complained_at', 'attachments_until', 'version'] as const),
] satisfies (keyof MessageRow)[];

export const MESSAGE_COLUMNS = MESSAGE_FIELDS.map((field) => `m.${field}`).join(', ');

/** A Message from its row. */
export function toMessage(row: MessageRow): Message {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    contactId: row.contact_id,
    domainId: row.domain_id,
    channel: row.channel,
    lane: row.lane,
    campaignId: row.campaign_id,
    to: row.recipient,
    toText: row.recipient_text,
    subject: textOut(row.subject),
    fromEmail: row.from_email,
    fromName: textOut(row.from_name),
    replyTo: row.reply_to,
    metadata: row.metadata === null ? null : (JSON.parse(row.metadata) as Metadata),
    createdAt: row.created_at,
    status: row.status,
    failedReason: row.failed_reason,
    dispatchedAt: row.dispatched_at,
    dueAt: row.due_at,
    attempt: row.attempt,
    firstClaimedAt: row.first_claimed_at,
    fence: row.fence,
    fencedAt: row.fenced_at,
    unknown: row.unknown === 1,
    reopenable: row.reopenable,
    complainedAt: row.complained_at,
    attachmentsUntil: row.attachments_until,
    version: row.version,
  };
}

/** The row of a message, or undefined. */
export function readMessageRow(db: Database, id: string): MessageRow | undefined {
  return db.get<MessageRow>(`SELECT ${MESSAGE_COLUMNS} FROM messages m WHERE m.id = ?`, id);
}

/** One message, read inside or outside a transaction. */
export function readMessage(db: Database, id: string): Message | null {
  const row = readMessageRow(db, id);
  return row ? toMessage(row) : null;
}

const STATE_COLUMNS: Record<keyof Omit<MessageState, 'version'>, string> = {
  status: 'status',
  failedReason: 'failed_reason',
  dispatchedAt: 'dispatched_at',
  dueAt: 'due_at',
  attempt: 'attempt',
  firstClaimedAt: 'first_claimed_at',
  fence: 'fence',
  fencedAt: 'fenced_at',
  unknown: 'unknown',
  reopenable: 'reopenable',
  complainedAt: 'complained_at',
  attachmentsUntil: 'attachments_until',
};
const STATE = Object.entries(STATE_COLUMNS) as [keyof typeof STATE_COLUMNS, string][];
/** Beside one bit for each of STATE. */
const HISTORY = 1 << STATE.length;
/** Statements by the bits of what they write: three of them are run for every mail. */
const updates = new Map<number, string>();

/**
 * Writes the given state columns and counts the version; only they are named, so that no index is touched without need.
 * A status that differs goes to the history and is counted.
 */
export function updateState(
  tx: Transaction,
  row: Pick<MessageRow, 'seq' | 'workspace_id' | 'status'>,
  set: Partial<Omit<MessageState, 'version'>>,
  at: number,
): void {
  let written = 0;
  const values: Value[] = [];
  for (let i = 0; i < STATE.length; i++) {
    const value = set[STATE[i]![0]];
    if (value === undefined) continue;
    written |= 1 << i;
    values.push(typeof value === 'boolean' ? Number(value) : value);
  }
  if (set.status !== undefined && set.status !== row.status) {
    written |= HISTORY;
    values.push(historyEntry({ status: set.status, at }));
    tx.moved(row, row.status, set.status);
  }
  tx.db.run(updateOf(written), ...values, row.seq);
}

/** The statement that writes the columns of these bits. */
function updateOf(written: number): string {
  let sql = updates.get(written);
  if (sql === undefined) {
    const columns = STATE.filter((_, i) => written & (1 << i)).map(([, column]) => `, ${column} = ?`);
    const history = written & HISTORY ? ', history = history || ?' : '';
    sql = `UPDATE messages SET version = version + 1${columns.join('')}${history} WHERE seq = ?`;
    updates.set(written, sql);
  }
  return sql;
}

/** History is one text, `status@ms` after `status@ms`: appended in the row that is written anyway. */
export const historyEntry = ({ status, at }: StatusChange): string => `${status}@${at} `;

/** The status history from its text. */
export function readHistory(text: string): StatusChange[] {
  return text
    .split(' ')
    .filter(Boolean)
    .map((entry) => {
      const [status, at] = entry.split('@');
      return { status: status as StatusChange['status'], at: Number(at) };
    });
}

export interface AttemptRow {
  n: number;
  workspace_id: number;
  claimed_at: number;
  fenced_at: number | null;
  finished_at: number | null;
  outcome: AttemptOutcome | null;
  reply: string | null;
}

/** An Attempt from its row. */
export const toAttempt = (messageId: string, row: AttemptRow): Attempt => ({
  messageId,
  workspaceId: row.workspace_id,
  n: row.n,
  claimedAt: row.claimed_at,
  fencedAt: row.fenced_at,
  finishedAt: row.finished_at,
  outcome: row.outcome,
  reply: row.reply,
});
