import { discard } from './delete-mails';
import type { PlannedReport, Recipient } from './behaviour';
import type { MailFile } from './mail-file';

/** A report that is due, with everything needed to write it. */
export interface DueReport extends Omit<PlannedReport, 'wait'> {
  id: number;
  /** Tries so far. */
  tries: number;
  recipient: Recipient;
  mail: {
    /** Envelope sender, to whom the report goes. */
    mailFrom: string;
    envid: string | null;
    ret: string | null;
    receivedAt: number;
    size: number;
    /** The header section, and the whole source if it is to be returned. */
    headers: Buffer;
    source: Buffer | null;
  };
}

interface Row {
  id: number;
  kind: PlannedReport['kind'];
  status: string;
  diagnostic: string;
  tries: number;
  recipient: number;
  mail_from: string;
  envid: string | null;
  ret: string | null;
  recipients: string;
  received_at: number;
  size: number;
  headers: Uint8Array;
  body: Uint8Array | null;
}

/** A larger mail is returned with its headers only, as real servers do. */
const MAX_RETURNED = 256 * 1024;

const DUE = `
SELECT r.id, r.kind, r.status, r.diagnostic, r.tries, r.recipient, m.mail_from, m.envid, m.ret, m.recipients,
  m.received_at, m.size, s.headers,
  CASE WHEN m.size <= ${MAX_RETURNED} AND (r.kind = 'complaint' OR (r.kind = 'failed' AND m.ret = 'FULL'))
    THEN s.body END AS body
FROM reports r JOIN mails m ON m.id = r.mail JOIN sources s ON s.mail = r.mail
WHERE r.state = 'owed' AND r.due_at <= ? ORDER BY r.due_at, r.id LIMIT ?`;

/** The reports the sandbox still has to send. A report waits for the previous one of the same mail. */
export class PendingReports {
  constructor(private readonly file: MailFile) {}

  /** Reports due by now, the longest waiting first. */
  due(now: number, limit: number): DueReport[] {
    return this.file.all<Row>(DUE, now, limit).flatMap((row) => {
      const recipient = (JSON.parse(row.recipients) as Recipient[])[row.recipient];
      return recipient ? [toDueReport(row, recipient)] : [];
    });
  }

  /** When the next one after `now` is due, or null. */
  nextAfter(now: number): number | null {
    return (
      this.file.get<{ at: number | null }>(
        "SELECT min(due_at) AS at FROM reports WHERE state = 'owed' AND due_at > ?",
        now,
      )?.at ?? null
    );
  }

  /** Makes reports due that are due later than after their own wait and `retry` (ms): the clock was ahead. */
  setBack(now: number, retry: number): Promise<void> {
    return this.file.write(() => {
      const late = "state = 'owed' AND due_at > ? + max(wait, ?)";
      this.file.run(`UPDATE reports SET due_at = ? WHERE ${late}`, now, now, retry);
    });
  }

  /** The listener accepted it, or never will: no more tries, and the report waiting for it becomes due. */
  finish(id: number, state: 'sent' | 'refused', reply: string, now: number): Promise<void> {
    return this.file.write(() => {
      this.file.run(
        'UPDATE reports SET state = ?, tries = tries + 1, done_at = ?, reply = ? WHERE id = ?',
        state,
        now,
        reply,
        id,
      );
      const mail = this.file.get<{ mail: number }>('SELECT mail FROM reports WHERE id = ?', id)?.mail;
      if (mail !== undefined) discard(this.file, mail, mail);
      // Only the next report of the same mail can follow, so the index by mail is enough.
      this.file.run(
        'UPDATE reports SET due_at = ? + wait WHERE follows = ? AND mail = (SELECT mail FROM reports WHERE id = ?)',
        now,
        id,
        id,
      );
    });
  }

  /** A try failed. */
  postpone(id: number, dueAt: number, reply: string): Promise<void> {
    return this.file.write(() => {
      this.file.run('UPDATE reports SET tries = tries + 1, due_at = ?, reply = ? WHERE id = ?', dueAt, reply, id);
    });
  }
}

function toDueReport(row: Row, recipient: Recipient): DueReport {
  return {
    id: row.id,
    kind: row.kind,
    status: row.status,
    diagnostic: row.diagnostic,
    tries: row.tries,
    recipient,
    mail: {
      mailFrom: row.mail_from,
      envid: row.envid,
      ret: row.ret,
      receivedAt: row.received_at,
      size: row.size,
      headers: Buffer.from(row.headers),
      source: row.body && Buffer.concat([row.headers, row.body]),
    },
  };
}
