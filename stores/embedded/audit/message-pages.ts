import {
  AUDITED_FACTS,
  type AuditedMessage,
  type BookedRow,
  type MessageRecord,
} from '../../../domain/audit/message-record';
import type { Attempt } from '../../../domain/messages/message';
import { readHistory, toAttempt, type AttemptRow } from '../messages/message-codec';
import { MESSAGE, MESSAGE_STATE } from '../messages/message-fields';
import type { ReadOnlyFile } from './read-only-file';

/** Messages per page. */
const PAGE = 500;

/** The fields of a message that the audit checks. */
const AUDITED = MESSAGE.only(['id', ...AUDITED_FACTS, ...MESSAGE_STATE.names]);

interface PageRow {
  seq: number;
  id: string;
  history: string;
  has_body: number;
  readable: number;
  attachments: number;
  domain_workspace_id: number | null;
  contact_workspace_id: number | null;
  contact_status: MessageRecord['contactStatus'];
  has_recipient: number;
}
type OfMessage<T> = T & { of: number };

export interface LedgerColumns {
  workspace_id: number;
  id: string;
  kind: BookedRow['kind'];
  amount: number;
  message_id: string | null;
  at: number;
}

/** Converts a row to a BookedRow. */
export const toBooked = (row: LedgerColumns): BookedRow => ({
  id: row.id,
  workspaceId: row.workspace_id,
  kind: row.kind,
  amount: row.amount,
  messageId: row.message_id,
  at: row.at,
});

/** The states of the messages with these ids. Their order is not defined. */
export function readStates(file: ReadOnlyFile, ids: readonly string[]): AuditedMessage[] {
  const sql = `SELECT ${AUDITED.select('m')} FROM messages m WHERE m.id IN (SELECT value FROM json_each(?))`;
  return file.all<object>(sql, JSON.stringify(ids)).map((row) => AUDITED.fromRow(row));
}

/** The messages of a workspace in order of acceptance, each with all its stored data. */
export async function* messagePages(file: ReadOnlyFile, workspaceId: number): AsyncGenerator<MessageRecord[]> {
  for (let after = 0; ;) {
    const rows = file.all<PageRow>(
      `SELECT m.seq, ${AUDITED.select('m')}, m.history, m.recipient IS NOT NULL AS has_recipient,
         EXISTS (SELECT 1 FROM bodies b WHERE b.seq = m.seq AND octet_length(b.html) > 0) OR (m.lane = 'campaign' AND
           EXISTS (SELECT 1 FROM campaigns k WHERE k.id = m.campaign_id AND octet_length(k.html) > 0)) OR EXISTS (SELECT 1 FROM journey_mails j
             WHERE j.journey_id = m.journey_id AND j.version = m.journey_version AND j.step = m.journey_step) AS has_body,
         m.metadata IS NULL OR iif(json_valid(m.metadata), json_type(m.metadata) = 'object', 0) AS readable,
         (SELECT count(*) FROM attachments t WHERE t.seq = m.seq) AS attachments,
         (SELECT d.workspace_id FROM domains d WHERE d.id = m.domain_id) AS domain_workspace_id,
         coalesce((SELECT c.workspace_id FROM contacts c WHERE c.id = m.contact_id), (SELECT a.workspace_id
           FROM anonymising a WHERE a.contact_id = m.contact_id AND m.recipient IS NOT NULL)) AS contact_workspace_id,
         (SELECT c.status FROM contacts c WHERE c.id = m.contact_id) AS contact_status
       FROM messages m WHERE m.workspace_id = ? AND m.seq > ? ORDER BY m.seq LIMIT ?`,
      workspaceId,
      after,
      PAGE,
    );
    const last = rows.at(-1)?.seq;
    if (last === undefined) return;
    const attempts = readAttempts(file, workspaceId, rows[0]!.seq, last);
    const coins = readCoins(file, workspaceId, rows[0]!.seq, last);
    yield rows.map((row) => ({
      message: AUDITED.fromRow(row),
      history: readHistory(row.history),
      attempts: (attempts.get(row.seq) ?? []).map((attempt): Attempt => toAttempt(row.id, attempt)),
      coins: (coins.get(row.seq) ?? []).map(toBooked),
      hasBody: row.has_body === 1,
      metadataReadable: row.readable === 1,
      attachments: row.attachments,
      domainWorkspaceId: row.domain_workspace_id,
      contactWorkspaceId: row.contact_workspace_id,
      contactStatus: row.contact_status,
      hasRecipient: row.has_recipient === 1,
    }));
    after = last;
  }
}

function readAttempts(file: ReadOnlyFile, ...range: [number, number, number]): Map<number, AttemptRow[]> {
  const rows = file.all<OfMessage<AttemptRow>>(
    `SELECT m.seq AS of, a.n, a.workspace_id, a.claimed_at, a.fenced_at, a.finished_at, a.outcome, NULL AS reply
     FROM messages m CROSS JOIN attempts a ON a.seq = m.seq
     WHERE m.workspace_id = ? AND m.seq BETWEEN ? AND ? ORDER BY m.seq, a.n`,
    ...range,
  );
  return byMessage(rows);
}

/** The row ids of a message start with one of three prefixes, so the unique key can be used. */
function readCoins(file: ReadOnlyFile, ...range: [number, number, number]): Map<number, LedgerColumns[]> {
  const rows = ['debit:', 'refund:', 'penalty:'].flatMap((prefix) =>
    file.all<OfMessage<LedgerColumns>>(
      `SELECT m.seq AS of, l.workspace_id, l.id, l.kind, l.amount, l.message_id, l.at
       FROM messages m CROSS JOIN ledger l
         ON l.workspace_id = m.workspace_id AND l.id >= ?4 || m.id AND l.id < ?4 || m.id || ';'
       WHERE m.workspace_id = ?1 AND m.seq BETWEEN ?2 AND ?3`,
      ...range,
      prefix,
    ),
  );
  return byMessage(rows);
}

function byMessage<T extends { of: number }>(rows: readonly T[]): Map<number, T[]> {
  const groups = new Map<number, T[]>();
  for (const row of rows) {
    const group = groups.get(row.of);
    if (group) group.push(row);
    else groups.set(row.of, [row]);
  }
  return groups;
}
