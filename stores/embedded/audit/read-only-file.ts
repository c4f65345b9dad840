import { DatabaseSync } from '@photostructure/sqlite';
import { UnavailableError } from '../../../lib/errors';
import { schemaOfFile } from '../../../lib/file-schema';
import { guard, type Value } from '../database/database';
import { NAMES, SCHEMA_VERSION } from '../../shared/data-file';

type Handle = InstanceType<typeof DatabaseSync>;
type Statement = ReturnType<Handle['prepare']>;

/** How long to wait for a service that is opening or closing the file, ms. */
const BUSY_TIMEOUT = 5_000;

/** The SQLite file of the engine, opened read-only, with or without a running service. Synchronous. */
export class ReadOnlyFile {
  private readonly db: Handle;
  private readonly statements = new Map<string, Statement>();

  /**
   * Throws UnavailableError if the file cannot be read or an older program wrote it, a SchemaError if no release or a
   * newer one did.
   */
  constructor(private readonly file: string) {
    this.db = guard(file, () => new DatabaseSync(file, { readOnly: true, timeout: BUSY_TIMEOUT }));
    try {
      // Sorts larger than the cache use a temporary file, so memory stays flat.
      guard(this.file, () => this.db.exec('PRAGMA cache_size = -16000; PRAGMA temp_store = FILE'));
      this.checkVersion();
    } catch (error) {
      this.db.close();
      throw error;
    }
  }

  get<T>(sql: string, ...parameters: Value[]): T | undefined {
    return guard(this.file, () => this.prepare(sql).get(...parameters) as T | undefined);
  }

  all<T>(sql: string, ...parameters: Value[]): T[] {
    return guard(this.file, () => this.prepare(sql).all(...parameters) as T[]);
  }

  /** Yields the rows in pages of `size`, from one run of the statement. */
  *pages<T>(size: number, sql: string, ...parameters: Value[]): Generator<T[]> {
    const rows = guard(this.file, () => (this.prepare(sql).iterate(...parameters) as Iterable<T>)[Symbol.iterator]());
    try {
      for (;;) {
        const page = guard(this.file, () => takeUpTo(size, rows));
        if (page.length > 0) yield page;
        if (page.length < size) return;
      }
    } finally {
      rows.return?.();
    }
  }

  /** From now until `release`, every read sees the data as of this moment. */
  hold(): void {
    guard(this.file, () => {
      this.db.exec('BEGIN');
      // SQLite takes its snapshot at the first read.
      this.prepare('SELECT count(*) FROM leases').get();
    });
  }

  release(): void {
    if (this.db.isTransaction) guard(this.file, () => this.db.exec('COMMIT'));
  }

  close(): void {
    this.statements.clear();
    this.db.close();
  }

  private checkVersion(): void {
    const found = schemaOfFile((sql) => this.get(sql), NAMES, SCHEMA_VERSION);
    if (found < SCHEMA_VERSION) {
      throw new UnavailableError(
        `The data has schema version ${found}, but this release reads ${SCHEMA_VERSION}: start the service once.`,
      );
    }
  }

  private prepare(sql: string): Statement {
    let statement = this.statements.get(sql);
    if (!statement) {
      statement = this.db.prepare(sql);
      this.statements.set(sql, statement);
    }
    return statement;
  }
}

function takeUpTo<T>(size: number, rows: Iterator<T>): T[] {
  const page: T[] = [];
  for (let row = rows.next(); !row.done; row = rows.next()) {
    page.push(row.value);
    if (page.length === size) break;
  }
  return page;
}
