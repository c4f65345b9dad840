import { deleteMails } from './delete-mails';
import { reportsToSend, type Recipient } from './behaviour';
import type { MailFile } from './mail-file';
import { headerSize, headerValue, readHeaders } from './mail-headers';
import type { ArrivedMail, MailSummary, ReportSummary, StoredMail } from './mail';

interface MailRow {
  id: number;
  received_at: number;
  message_id: string | null;
  envid: string | null;
  mail_from: string;
  recipients: string;
  header_from: string;
  subject: string;
  size: number;
}

interface ReportRow {
  kind: ReportSummary['kind'];
  recipient: number;
  state: ReportSummary['state'];
  tries: number;
  due_at: number | null;
  done_at: number | null;
  reply: string | null;
}

const MAIL_COLUMNS = 'id, received_at, message_id, envid, mail_from, recipients, header_from, subject, size';
const MAX_TEXT = 1_000;
/** Ids in one transaction: others wait meanwhile. */
const DELETED_AT_ONCE = 500;

/** SQL: a mail contains the value, in any case of ASCII letters; every mail contains the empty text. */
const CONTAINS = `instr(lower(subject || char(10) || header_from || char(10) || recipients || char(10) ||
  coalesce(message_id, '') || char(10) || coalesce(envid, '')), lower(?)) > 0`;

/** SQL for the next id of a table; ids go on after the sandbox was emptied. */
const nextId = (table: 'mails' | 'reports', last: 'last_mail' | 'last_report'): string =>
  `(SELECT max(coalesce((SELECT max(id) FROM ${table}), 0), ${last}) + 1 FROM installation WHERE one = 1)`;

/** The mails in the sandbox, and how often it turned a message away. */
export class MailStore {
  constructor(private readonly file: MailFile) {}

  /** Stores the mail together with the reports it triggers; resolves with its id once both are durable. */
  keep(mail: ArrivedMail): Promise<number> {
    const headerEnd = headerSize(mail.source);
    const section = mail.source.subarray(0, headerEnd);
    const headers = readHeaders(section);
    const text = (name: string): string => headerValue(headers, name).slice(0, MAX_TEXT);
    return this.file.write(() => {
      const id = this.file.run(
        `INSERT INTO mails (id, received_at, message_id, envid, mail_from, recipients, ret, header_from, subject, size)
         VALUES (${nextId('mails', 'last_mail')}, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        mail.receivedAt,
        text('x-message-id') || null,
        mail.envid,
        mail.mailFrom,
        JSON.stringify(mail.recipients),
        mail.ret,
        text('from'),
        text('subject'),
        mail.source.length,
      );
      const body = mail.source.subarray(headerEnd);
      this.file.run('INSERT INTO sources (mail, headers, body) VALUES (?, ?, ?)', id, section, body);
      mail.recipients.forEach((_recipient, index) => this.owe(id, mail, index));
      return id;
    });
  }

  /** Counts a try. Resolves, once that is durable, with the number of earlier tries and the time of the first. */
  countTry(name: string, now: number): Promise<{ before: number; firstAt: number }> {
    return this.file.write(() => {
      const found = this.file.get<{ count: number; first_at: number }>(
        'SELECT count, first_at FROM tries WHERE name = ?',
        name,
      );
      this.file.run(
        'INSERT INTO tries (name, count, first_at) VALUES (?, 1, ?) ON CONFLICT (name) DO UPDATE SET count = count + 1',
        name,
        now,
      );
      return { before: found?.count ?? 0, firstAt: found?.first_at ?? now };
    });
  }

  /** Newest first, below id `before`; with `search` those that contain it in subject, addresses or ids. */
  list(limit: number, before: number, search = ''): MailSummary[] {
    const rows = this.file.all<MailRow>(
      `SELECT ${MAIL_COLUMNS} FROM mails WHERE id < ? AND deleted_at IS NULL AND ${CONTAINS} ORDER BY id DESC LIMIT ?`,
      before,
      search,
      limit,
    );
    return rows.map((row) => this.summary(row));
  }

  get(id: number): StoredMail | null {
    const row = this.file.get<MailRow>(`SELECT ${MAIL_COLUMNS} FROM mails WHERE id = ? AND deleted_at IS NULL`, id);
    const kept = this.file.get<Record<'headers' | 'body', Uint8Array>>(
      'SELECT headers, body FROM sources WHERE mail = ?',
      id,
    );
    return row && kept ? { ...this.summary(row), source: Buffer.concat([kept.headers, kept.body]) } : null;
  }

  /** Deletes the mails up to `last`, from `first`; resolves with their number once that is durable. */
  async delete(first: number, last: number, now: number): Promise<number> {
    let deleted = 0;
    for (let end = first; end <= last; end += DELETED_AT_ONCE) {
      deleted += await this.file.write(() =>
        deleteMails(this.file, end, Math.min(last, end + DELETED_AT_ONCE - 1), now),
      );
    }
    return deleted;
  }

  /** The lowest id of a mail, 0 when there is none. */
  oldest(): number {
    return this.file.get<{ id: number | null }>('SELECT min(id) AS id FROM mails')?.id ?? 0;
  }

  /**
   * Number of mails since the sandbox was emptied. No row is deleted alone, so the last id tells the count; those that
   * were deleted are counted. With `search`, of those that contain it.
   */
  total(search = ''): number {
    if (search !== '') {
      const sql = `SELECT count(*) AS n FROM mails WHERE deleted_at IS NULL AND ${CONTAINS}`;
      return this.file.get<{ n: number }>(sql, search)?.n ?? 0;
    }
    const sql = `SELECT max(0, coalesce((SELECT max(id) FROM mails), 0) - last_mail - deleted) AS n
      FROM installation WHERE one = 1`;
    return this.file.get<{ n: number }>(sql)?.n ?? 0;
  }

  /** Number of mails with this X-Message-id or ENVID. */
  countByMessage(messageId: string): number {
    return (
      this.file.get<{ n: number }>(
        'SELECT count(*) AS n FROM mails WHERE message_id = ? OR envid = ?',
        messageId,
        messageId,
      )?.n ?? 0
    );
  }

  private owe(mail: number, { receivedAt, mailFrom, recipients }: ArrivedMail, index: number): void {
    const recipient = recipients[index];
    if (!recipient) return;
    let follows: number | null = null;
    for (const { kind, status, diagnostic, wait } of reportsToSend(mailFrom, recipient)) {
      follows = this.file.run(
        `INSERT INTO reports (id, mail, recipient, kind, status, diagnostic, wait, follows, state, tries, due_at)
         VALUES (${nextId('reports', 'last_report')}, ?, ?, ?, ?, ?, ?, ?, 'owed', 0, ?)`,
        mail,
        index,
        kind,
        status,
        diagnostic,
        wait,
        follows,
        follows === null ? receivedAt + wait : null,
      );
    }
  }

  private summary(row: MailRow): MailSummary {
    const recipients = JSON.parse(row.recipients) as Recipient[];
    const key = row.message_id ?? row.envid;
    return {
      id: row.id,
      receivedAt: row.received_at,
      messageId: row.message_id,
      envid: row.envid,
      mailFrom: row.mail_from,
      recipients,
      from: row.header_from,
      subject: row.subject,
      size: row.size,
      copies: key === null ? 1 : this.countByMessage(key),
      reports: this.reportsOf(row.id, recipients),
    };
  }

  private reportsOf(mail: number, recipients: readonly Recipient[]): ReportSummary[] {
    const rows = this.file.all<ReportRow>(
      'SELECT kind, recipient, state, tries, due_at, done_at, reply FROM reports WHERE mail = ? ORDER BY id',
      mail,
    );
    return rows.map(({ recipient, due_at, done_at, ...rest }) => ({
      ...rest,
      recipient: recipients[recipient]?.address ?? '',
      at: done_at ?? due_at,
    }));
  }
}
