import { DatabaseSync } from '@photostructure/sqlite';
import { NewerSchemaError, UnavailableError } from '../../../lib/errors';
import { MIGRATIONS } from './migrations';
import { INDEXES, SCHEMA_VERSION, TABLES, UNIQUE_INDEXES } from './schema';

export type Value = null | number | string | Uint8Array;
type Handle = InstanceType<typeof DatabaseSync>;
type Statement = ReturnType<Handle['prepare']>;

/** SQLite's primary result codes that say "not now" rather than "wrong": busy, locked, read-only, I/O error, full, cannot open. */
const UNAVAILABLE = new Set([5, 6, 8, 10, 13, 14]);
const CONSTRAINT = 19;

/** ms a write waits for another writer: the command line beside the service, or an instant of a checkpoint. */
const BUSY_TIMEOUT = 5_000;
/** Bytes of a page of a new file; one that was made with others keeps them. A body of 2 kB fills half a page of 4 kB. */
const PAGE_SIZE = 8_192;
/** Bytes of the write-ahead log at which a commit brings it into the file itself. */
const AUTOCHECKPOINT = 40_000_000;
/** The same beside a checkpointer, which comes long before that. */
const BACKSTOP = 400_000_000;

/** The write-ahead log: how long it is, and how much of it is in the file too, in bytes of pages. */
export interface LogLength {
  bytes: number;
  copied: number;
}

interface CheckpointRow {
  log: number;
  checkpointed: number;
}

/** One SQLite file, with each statement prepared once. Synchronous; every error of the engine is told apart here. */
export class Database {
  private readonly db: Handle;
  private readonly statements = new Map<string, Statement>();
  /** Those of `values`, which answer rows as lists. */
  private readonly listing = new Map<string, Statement>();
  /** A write transaction is open, or the read transaction that the reads of this turn share, or neither. */
  private transaction: 'write' | 'read' | null = null;
  private readonly pageSize: number;

  /** Opens or creates the file; throws NewerSchemaError when a newer program wrote it, UnavailableError when it cannot be written. */
  constructor(file: string) {
    this.db = guard(() => new DatabaseSync(file));
    guard(() => {
      // FULL: a commit is on the disk before anybody, on whatever connection, can read it.
      this.db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT}; PRAGMA page_size = ${PAGE_SIZE}`);
      this.db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
      this.db.exec('PRAGMA cache_size = -32000; PRAGMA temp_store = MEMORY');
    });
    this.pageSize = this.get<{ page_size: number }>('PRAGMA page_size')!.page_size;
    this.overwriteFreed(false);
    // Checkpoints copy the log into the file on the caller's time: rarer and larger ones cost less a record.
    this.leaveCheckpoints(false);
    this.migrate();
  }

  get<T>(sql: string, ...parameters: Value[]): T | undefined {
    this.shareRead();
    return guard(() => this.prepare(sql).get(...parameters) as T | undefined);
  }

  /** The first row as the values of its columns: to name each of many costs more than to read them. */
  values(sql: string, ...parameters: Value[]): Value[] | undefined {
    this.shareRead();
    return guard(() => this.prepareListing(sql).get(...parameters) as Value[] | undefined);
  }

  all<T>(sql: string, ...parameters: Value[]): T[] {
    this.shareRead();
    return guard(() => this.prepare(sql).all(...parameters) as T[]);
  }

  /** Runs a write and answers how many rows it changed. */
  run(sql: string, ...parameters: Value[]): number {
    return guard(() => Number(this.prepare(sql).run(...parameters).changes));
  }

  /** Runs an insert and answers the row id. */
  insert(sql: string, ...parameters: Value[]): number {
    return guard(() => Number(this.prepare(sql).run(...parameters).lastInsertRowid));
  }

  begin(): void {
    this.endRead();
    this.run('BEGIN IMMEDIATE');
    this.transaction = 'write';
  }

  commit(): void {
    this.run('COMMIT');
    this.transaction = null;
  }

  /** Ends a transaction that failed; SQLite may have ended it itself already. */
  rollback(): void {
    this.transaction = null;
    try {
      this.db.exec('ROLLBACK');
    } catch {
      // Nothing to roll back.
    }
  }

  /** Leaves checkpoints to a checkpointer, or has the commits of this connection make them again. */
  leaveCheckpoints(toOther: boolean): void {
    const pages = Math.ceil((toOther ? BACKSTOP : AUTOCHECKPOINT) / this.pageSize);
    guard(() => this.db.exec(`PRAGMA wal_autocheckpoint = ${pages}`));
  }

  /** From here on whatever is deleted is overwritten in the file, or only where that costs no writing of its own. */
  overwriteFreed(always: boolean): void {
    guard(() => this.db.exec(`PRAGMA secure_delete = ${always ? 'ON' : 'FAST'}`));
  }

  /** How long the write-ahead log is. */
  logLength(): LogLength {
    return this.checkpoint('NOOP');
  }

  /** Copies the log into the file as far as no reader needs the file as it is; holds up nobody. */
  copyLog(): LogLength {
    return this.checkpoint('PASSIVE');
  }

  /**
   * Copies what is left and has the next write start the log over, so that its file stays as long as it is. Nobody can write
   * meanwhile, and readers of what the log holds are waited for `ms` at the most: then it goes on growing.
   */
  restartLog(ms: number): void {
    guard(() => this.db.exec(`PRAGMA busy_timeout = ${ms}`));
    try {
      this.checkpoint('RESTART');
    } finally {
      guard(() => this.db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT}`));
    }
  }

  /**
   * Brings the write-ahead log into the file, so that after a clean stop the file alone is the data; without `checkpoint` only
   * when nobody else has it open, since truncating the log makes every other writer wait.
   */
  close({ checkpoint = true } = {}): void {
    this.endRead();
    try {
      if (checkpoint) this.db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch {
      // Nothing is lost: the next start reads the log.
    }
    this.statements.clear();
    this.listing.clear();
    this.db.close();
  }

  /**
   * Reads of one turn of the event loop share a read transaction: taking and releasing SQLite's locks costs as much as the
   * look-up itself. It ends with the turn, or before the next write.
   */
  private shareRead(): void {
    if (this.transaction !== null) return;
    guard(() => this.prepare('BEGIN').run());
    this.transaction = 'read';
    setImmediate(() => this.endRead());
  }

  /** Ends the shared read now: whatever was committed meanwhile, by another connection, is seen from here on. */
  endRead(): void {
    if (this.transaction !== 'read') return;
    this.transaction = null;
    guard(() => this.prepare('COMMIT').run());
  }

  private checkpoint(mode: 'NOOP' | 'PASSIVE' | 'RESTART'): LogLength {
    this.endRead();
    const row = guard(() => this.prepare(`PRAGMA wal_checkpoint(${mode})`).get() as CheckpointRow);
    return { bytes: row.log * this.pageSize, copied: row.checkpointed * this.pageSize };
  }

  private prepare(sql: string): Statement {
    let statement = this.statements.get(sql);
    if (!statement) {
      statement = this.db.prepare(sql);
      this.statements.set(sql, statement);
    }
    return statement;
  }

  private prepareListing(sql: string): Statement {
    let statement = this.listing.get(sql);
    if (!statement) {
      statement = this.db.prepare(sql);
      statement.setReturnArrays(true);
      this.listing.set(sql, statement);
    }
    return statement;
  }

  private addColumn(table: string, name: string, type: string): void {
    if (this.get('SELECT 1 FROM pragma_table_info(?) WHERE name = ?', table, name)) return;
    this.db.exec(`ALTER TABLE ${table} ADD COLUMN ${name} ${type}`);
  }

  private migrate(): void {
    const { user_version: found } = this.get<{ user_version: number }>('PRAGMA user_version')!;
    if (found > SCHEMA_VERSION) {
      throw new NewerSchemaError(
        `The data has schema version ${found}, this program knows ${SCHEMA_VERSION}: start a newer one.`,
      );
    }
    if (found === SCHEMA_VERSION) return;
    this.begin();
    try {
      guard(() => {
        for (const [name, body] of Object.entries(TABLES)) this.db.exec(`CREATE TABLE IF NOT EXISTS ${name} (${body}`);
        for (const [name, on] of Object.entries(INDEXES)) this.db.exec(`CREATE INDEX IF NOT EXISTS ${name} ON ${on}`);
        for (const [name, on] of Object.entries(UNIQUE_INDEXES)) {
          this.db.exec(`CREATE UNIQUE INDEX IF NOT EXISTS ${name} ON ${on}`);
        }
        for (const { to, columns = [], statements } of MIGRATIONS) {
          if (found === 0 || found >= to) continue;
          for (const { table, name, type } of columns) this.addColumn(table, name, type);
          for (const statement of statements) this.db.exec(statement);
        }
        this.db.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
      });
      this.commit();
    } catch (error) {
      this.rollback();
      throw error;
    }
  }
}

/** SQLite's binding cuts text at a NUL character, so text that holds one is kept as bytes. */
export const textIn = (text: string): string | Uint8Array => (text.includes('\0') ? Buffer.from(text) : text);

/** The text that `textIn` kept. */
export const textOut = (value: string | Uint8Array): string =>
  typeof value === 'string' ? value : Buffer.from(value).toString('utf8');

/** True for a violated unique or primary key. */
export function isConstraint(error: unknown): boolean {
  return primaryCode(error) === CONSTRAINT;
}

/** Duck-typed: the native addon's errors are not of this realm's Error when the program runs inside a vm context. */
function primaryCode(error: unknown): number | null {
  const code = (error as { errcode?: unknown } | null | undefined)?.errcode;
  return typeof code === 'number' ? code & 0xff : null;
}

/** Runs the work; an error of SQLite that says "not now" becomes UnavailableError. */
export function guard<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const code = primaryCode(error);
    if (code !== null && UNAVAILABLE.has(code)) {
      throw new UnavailableError(`The data file cannot be used just now: ${(error as Error).message}`, {
        cause: error,
      });
    }
    throw error;
  }
}
