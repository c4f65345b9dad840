import type { MailFile } from './mail-file';

/** A mail that the sandbox did not take, for one recipient. */
export interface RefusedMail {
  id: number;
  recipient: string;
  mailFrom: string;
  /** The ENVID of the hand-off, which is the id of the message; null when it had none. */
  envid: string | null;
  /** The last answer. */
  reason: string;
  tries: number;
  /** ms */
  firstAt: number;
  lastAt: number;
}

interface Row {
  id: number;
  recipient: string;
  mail_from: string;
  envid: string | null;
  reason: string;
  tries: number;
  first_at: number;
  last_at: number;
}

/** More are not kept: the oldest go. */
const MAX_KEPT = 1_000;
const FIELDS = 'id, recipient, mail_from, envid, reason, tries, first_at, last_at';

/** What the sandbox refused, and why: one entry for all tries of a message. */
export class RefusedMails {
  constructor(private readonly file: MailFile) {}

  /** Resolves once it is on disk. */
  add(mail: Pick<RefusedMail, 'recipient' | 'mailFrom' | 'envid' | 'reason'>, now: number): Promise<void> {
    const { recipient, mailFrom, envid, reason } = mail;
    const name = JSON.stringify([envid ?? ['from', mailFrom], recipient.toLowerCase()]);
    return this.file.write(() => {
      this.file.run(
        `INSERT INTO refusals (name, recipient, mail_from, envid, reason, tries, first_at, last_at)
         VALUES (?, ?, ?, ?, ?, 1, ?, ?)
         ON CONFLICT (name) DO UPDATE SET tries = tries + 1, reason = excluded.reason, last_at = excluded.last_at`,
        ...[name, recipient, mailFrom, envid, reason, now, now],
      );
      this.file.run(`DELETE FROM refusals WHERE id <= (SELECT max(id) FROM refusals) - ${MAX_KEPT}`);
    });
  }

  /** Newest first, below id `before`. */
  list(limit: number, before: number): RefusedMail[] {
    return this.file
      .all<Row>(`SELECT ${FIELDS} FROM refusals WHERE id < ? ORDER BY id DESC LIMIT ?`, before, limit)
      .map(({ mail_from, first_at, last_at, ...rest }) => ({
        ...rest,
        mailFrom: mail_from,
        firstAt: first_at,
        lastAt: last_at,
      }));
  }

  count(): number {
    return this.file.get<{ n: number }>('SELECT count(*) AS n FROM refusals')?.n ?? 0;
  }
}
