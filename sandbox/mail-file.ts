import { DatabaseSync } from '@photostructure/sqlite';
import { fileFault } from '../lib/file-fault';
import { schemaOfFile, statementsFrom } from '../lib/file-schema';
import { NAMES, sandboxFile, SCHEMA } from './mail-file-schema';

type Handle = InstanceType<typeof DatabaseSync>;
type Statement = ReturnType<Handle['prepare']>;
type Value = string | number | null | Uint8Array;

interface Waiting {
  work: () => unknown;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** Work items in one transaction, at most, so that sockets get their turn. */
const MAX_BATCH = 500;
/** ms, real time */
const MAX_REST = 20;

/** Whose file it is. */
export interface Ownership {
  /** Null: no installation has opened it for serving yet. */
  installationId: string | null;
  /** Mails handed over before are not in the file: it was made or emptied then, ms; null: it has all of them. */
  since: number | null;
}

/** The installation that opens the file for serving, and the time, ms. */
export interface Owner {
  installationId: string;
  now: number;
}

/** The file belongs to another installation. */
export class OtherInstallationError extends Error {
  override readonly name = 'OtherInstallationError';
  constructor(
    file: string,
    readonly installationId: string,
  ) {
    super(`The sandbox file ${file} belongs to another installation (${installationId}).`);
  }
}

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
  private readonly serves: boolean;

  /**
   * Opens or creates the file. With `owner`, a new file and one that names no installation become the owner's. Throws
   * a SchemaError when no release or a newer one wrote it, OtherInstallationError when it is not the owner's,
   * UnavailableError when it cannot be used.
   */
  constructor(
    private readonly path: string,
    owner?: Owner,
  ) {
    this.serves = owner !== undefined;
    this.db = this.guard(() => new DatabaseSync(path));
    try {
      this.guard(() => {
        this.db.exec('PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
        this.db.exec('PRAGMA wal_autocheckpoint = 4000; PRAGMA temp_store = MEMORY');
        this.prepareFor(owner);
      });
    } catch (error) {
      this.closeDespite();
      throw error;
    }
  }

  /** Whose file it is. */
  ownership(): Ownership {
    const { id, since } = this.get<{ id: string | null; since: number | null }>(
      'SELECT id, since FROM installation WHERE one = 1',
    )!;
    return { installationId: id, since };
  }

  get<T>(sql: string, ...values: Value[]): T | undefined {
    return this.guard(() => this.prepare(sql).get(...values) as T | undefined);
  }

  all<T>(sql: string, ...values: Value[]): T[] {
    return this.guard(() => this.prepare(sql).all(...values) as T[]);
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

  /** Gives the space of deleted rows back to the file system, unless others are using the file just now. */
  compact(): void {
    try {
      this.db.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
    } catch {
      // The space is used again by later mails.
    }
  }

  /** Commits waiting writes and closes; later writes reject. Whoever serves leaves all of it in the file itself. */
  close(): void {
    while (this.waiting.length > 0) this.commitBatch();
    this.statements.clear();
    if (this.serves) this.foldLog();
    this.guard(() => this.db.close());
  }

  /** Writes the log into the file. SQLite leaves it as it is at a close where others still have the file open. */
  private foldLog(): void {
    try {
      this.db.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)');
    } catch {
      // The next start reads the log.
    }
  }

  /** SQLite may refuse to close a damaged file in order; the fault that was met says more. */
  private closeDespite(): void {
    try {
      this.close();
    } catch {
      // It is closed with the process.
    }
  }

  /** Brings the file to the schema, and makes it the owner's. */
  private prepareFor(owner: Owner | undefined): void {
    if (this.version() === SCHEMA.version && (!owner || this.belongsTo(owner))) return;
    this.db.exec('BEGIN IMMEDIATE');
    try {
      const found = this.version();
      if (found < SCHEMA.version) for (const sql of statementsFrom(found, SCHEMA)) this.db.exec(sql);
      if (owner && !this.belongsTo(owner)) {
        const since = found === 0 ? owner.now : null;
        this.run('UPDATE installation SET id = ?, since = ? WHERE one = 1', owner.installationId, since);
      }
      this.db.exec('COMMIT');
    } catch (error) {
      // A damaged file has ended the transaction by itself.
      if (this.db.isTransaction) this.db.exec('ROLLBACK');
      throw error;
    }
  }

  private guard<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw this.faultOf(error);
    }
  }

  private faultOf(error: unknown): unknown {
    return fileFault(error, sandboxFile(this.path)) ?? error;
  }

  private version(): number {
    return schemaOfFile((sql) => this.get(sql), NAMES, SCHEMA.version);
  }

  /** False when it names no installation. */
  private belongsTo({ installationId }: Owner): boolean {
    const { installationId: found } = this.ownership();
    if (found !== null && found !== installationId) throw new OtherInstallationError(this.path, found);
    return found !== null;
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
      if (final) for (const item of batch) item.reject(this.faultOf(error));
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
