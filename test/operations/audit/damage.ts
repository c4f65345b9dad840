import { DatabaseSync } from '@photostructure/sqlite';
import { join } from 'node:path';
import type { AuditRule } from '../../../domain/audit/difference';
import type { Outcomes } from '../../support/every-outcome';

/** What the audit must say: rule and subject, and how its figures look. */
export type Finding = [rule: AuditRule, subject: string, expected?: RegExp, found?: RegExp];

/** One kind of damage: what is done to which file (the service's unless said), and what the audit must say of it. */
export interface Damage {
  what: string;
  file?: 'sandbox.sqlite';
  sql(on: Scene): string;
  finds(on: Scene): Finding[];
}

/** A message id that nothing has. */
export const NOBODY = '01900000-0000-7000-8000-000000000000';

/** Sets columns of a message. */
export const set = (id: string, change: string): string => `UPDATE messages SET ${change} WHERE id = '${id}'`;
export const seqOf = (id: string): string => `(SELECT seq FROM messages WHERE id = '${id}')`;
export const debit = (id: string, n = 1): string => `debit:${id}:${n}`;

/** The counter of a list's first 1,024 ids. */
export const listCount = (workspace: string, list: string): Finding => [
  'list-count',
  `${workspace} ${list} 0 to 1023`,
  /^\d+$/,
  /^\d+$/,
];

/** The counter of messages of the one hour that differs. */
export const hourCount = (workspace: string, name: string): Finding => [
  'list-count',
  `${workspace} ${name} messages by time of acceptance,`,
  /^\d+$/,
  /^\d+$/,
];

/** The untouched data, for damages to look things up in. */
export class Scene {
  constructor(
    readonly ids: Outcomes,
    private readonly dataDir: string,
  ) {}

  get premium(): string {
    return `workspace ${this.ids.premium}`;
  }

  get free(): string {
    return `workspace ${this.ids.free}`;
  }

  /** The WIB day of a message's first claim. */
  day(id: string): string {
    return this.read(
      `SELECT date(claimed_at / 1000, 'unixepoch', '+7 hours') AS value FROM attempts WHERE seq = ${seqOf(id)}`,
    );
  }

  seq(id: string): number {
    return this.read(`SELECT seq AS value FROM messages WHERE id = '${id}'`);
  }

  gateSubject(reason: string): string {
    return `workspace 1 ${this.read<string>(`SELECT key AS value FROM gates WHERE key LIKE '%:${reason}'`)}`;
  }

  firstPenalty(): string {
    return this.read(`SELECT min(id) AS value FROM ledger WHERE id LIKE 'penalty:%:malformed:%'`);
  }

  contact(id: string): number {
    return this.read(`SELECT contact_id AS value FROM messages WHERE id = '${id}'`);
  }

  /** The first hour in which anything was done with the message's mails. */
  firstHour(id: string): string {
    const hour = this.read<number>(`SELECT min(hour) AS value FROM engagement
      WHERE hour >= 0 AND contact_id = ${this.contact(id)}`);
    return new Date(hour).toISOString();
  }

  /** The first claim of the free account, ms. */
  firstClaim(): number {
    return this.read(`SELECT min(claimed_at) AS value FROM attempts WHERE workspace_id = ${this.ids.free}`);
  }

  /** The message of its last one. */
  lastClaimed(): string {
    return this.read(`SELECT m.id AS value FROM attempts a JOIN messages m ON m.seq = a.seq
      WHERE a.workspace_id = ${this.ids.free} ORDER BY claimed_at DESC, a.seq DESC`);
  }

  /** Moves a claim in time, wherever it is written. */
  moveClaim(id: string, to: number): string {
    const from = this.read<number>(`SELECT claimed_at AS value FROM attempts WHERE seq = ${seqOf(id)}`);
    return `UPDATE attempts SET claimed_at = ${to} WHERE seq = ${seqOf(id)};
      UPDATE ledger SET at = ${to} WHERE id = '${debit(id)}';
      ${set(id, `history = replace(history, 'sending@${from}', 'sending@${to}')`)}`;
  }

  /** The column `value` of the first row. */
  read<T>(sql: string): T {
    const db = new DatabaseSync(join(this.dataDir, 'kurir.sqlite'), { readOnly: true });
    try {
      return (db.prepare(sql).get() as { value: T }).value;
    } finally {
      db.close();
    }
  }
}
