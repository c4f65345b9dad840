import { DatabaseSync } from '@photostructure/sqlite';
import { NewerSchemaError, UnavailableError } from '../lib/errors';

type Handle = InstanceType<typeof DatabaseSync>;
type Statement = ReturnType<Handle['prepare']>;
type Value = string | number | null | Uint8Array;

interface Waiting {
  work: () => unknown;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

const SCHEMA_VERSION = 1;
/** Work items in one transaction, at most, so that sockets get their turn. */
const MAX_BATCH = 500;
/** ms, real time */
const MAX_REST = 20;

const SCHEMA = `
CREATE TABLE mails (
  id INTEGER PRIMARY KEY, received_at INTEGER NOT NULL, message_id TEXT, envid TEXT, mail_from TEXT NOT NULL,
  recipients TEXT NOT NULL, ret TEXT, header_from TEXT NOT NULL, subject TEXT NOT NULL, size INTEGER NOT NULL
);
CREATE INDEX mails_by_message ON mails (message_id);
CREATE INDEX mails_by_envid ON mails (envid);
CREATE TABLE sources (mail INTEGER PRIMARY KEY, headers BLOB NOT NULL, body BLOB NOT NULL);
CREATE TABLE tries (name TEXT PRIMARY KEY, count INTEGER NOT NULL, first_at INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE reports (
  id INTEGER PRIMARY KEY, mail INTEGER NOT NULL, recipient INTEGER NOT NULL, kind TEXT NOT NULL, status TEXT NOT NULL,
  diagnostic TEXT NOT NULL, wait INTEGER NOT NULL, follows INTEGER, state TEXT NOT NULL, tries INTEGER NOT NULL,
  due_at INTEGER, done_at INTEGER, reply TEXT
);
CREATE INDEX reports_by_mail ON reports (mail);
CREATE INDEX reports_owed ON reports (due_at, id) WHERE state = 'owed';
`;

/**
 * The sandbox's own SQLite file. Writes share transactions: waiting callers are committed together, and each resolves
 * once its work is on disk. When one work item throws, every item of its batch runs again alone, so work must touch
 * nothing but the file.
 */
export class MailFile {
  private readonly db: Handle;
  private readonly statements = new Map<string, Statement>();
  private readonly waiting: Waiting[] = [];
  private scheduled = false;
  /** Spares a slow disk: after a commit, further writes may collect for as long as the commit took. */
  private restUntil = 0;

  /**
   * Opens or creates the file. Throws NewerSchemaError when a newer program wrote it, UnavailableError when it cannot
   * be used.
   */
  constructor(file: string) {
    try {
      this.db = new DatabaseSync(file);
      this.db.exec('PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
      this.db.exec('PRAGMA wal_autocheckpoint = 4000; PRAGMA temp_store = MEMORY');
    } catch (error) {
      throw new UnavailableError(`The sandbox file ${file} cannot be used: ${String(error)}`, { cause: error });
    }
    const found = this.get<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0;
    if (found > SCHEMA_VERSION) {
      this.db.close();
      throw new NewerSchemaError(`The sandbox file has schema version ${found}, this program knows ${SCHEMA_VERSION}.`);
    }
    if (found === 0) this.db.exec(`BEGIN; ${SCHEMA} PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT`);
  }

  get<T>(sql: string, ...values: Value[]): T | undefined {
    return this.prepare(sql).get(...values) as T | undefined;
  }

  all<T>(sql: string, ...values: Value[]): T[] {
    return this.prepare(sql).all(...values) as T[];
  }

  /** For use inside `write`; returns the id of an inserted row. */
  run(sql: string, ...values: Value[]): number {
    return Number(this.prepare(sql).run(...values).lastInsertRowid);
  }

  /** Runs the work in the next transaction; resolves with its value once that is durable. */
  write<T>(work: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.waiting.push({ work, resolve: (value) => resolve(value as T), reject });
      this.schedule();
    });
  }

  /** Commits waiting writes and closes; later writes reject. */
  close(): void {
    while (this.waiting.length > 0) this.commitBatch();
    this.statements.clear();
    this.db.close();
  }

  private schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    const run = (): void => {
      this.scheduled = false;
      const start = performance.now();
      if (this.waiting.length > 0) this.commitBatch();
      const end = performance.now();
      this.restUntil = end + Math.min(end - start, MAX_REST);
      if (this.waiting.length > 0) this.schedule();
    };
    const rest = this.restUntil - performance.now();
    if (rest < 1) setImmediate(run);
    else setTimeout(run, rest);
  }

  private commitBatch(): void {
    const batch = this.waiting.splice(0, MAX_BATCH);
    if (this.commit(batch, batch.length === 1)) return;
    for (const item of batch) this.commit([item], true);
  }

  /** False when it failed and `final` is not set; no caller has been notified then. */
  private commit(batch: readonly Waiting[], final: boolean): boolean {
    let values: unknown[];
    try {
      this.db.exec('BEGIN IMMEDIATE');
      values = batch.map((item) => item.work());
      this.db.exec('COMMIT');
    } catch (error) {
      if (this.db.isOpen && this.db.isTransaction) this.db.exec('ROLLBACK');
      if (final) for (const item of batch) item.reject(error);
      return false;
    }
    batch.forEach((item, i) => item.resolve(values[i]));
    return true;
  }

  private prepare(sql: string): Statement {
    let statement = this.statements.get(sql);
    if (!statement) this.statements.set(sql, (statement = this.db.prepare(sql)));
    return statement;
  }
}
