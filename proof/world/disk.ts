import { copyFileSync, existsSync, readdirSync, mkdirSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { sqliteFile, type Handle } from '../../stores/embedded/database/sqlite-file';
import type { Owner, Schedule } from './schedule';
import { WorldFile, type FileWatch, type Statement } from './world-file';

/** What may happen around a commit. Each may throw: an error of SQLite, or the death of the program. */
export interface DiskActs {
  beforeCommit(): void;
  afterCommit(): void;
  /** How long a commit takes, ms. */
  commitTime(): number;
}

/** `synchronous` of SQLite from which on every commit waits for the disk. */
const FULL = 2;
const DATABASE = 'kurir.sqlite';
const WAL = `${DATABASE}-wal`;

/**
 * The disk of the world: SQLite itself, on real files. What a commit has synced survives a power loss; what was only
 * written survives in part. That part is a model: it follows from what SQLite is set to, not from what it did.
 */
export class Disk {
  private readonly handles = new Map<Handle, Owner>();
  /** Those in a write transaction. */
  private readonly writing = new Set<Handle>();
  private readonly levels = new WeakMap<Handle, Statement>();
  /** Length of the write-ahead log at the last sync, bytes. */
  private synced = 0;

  constructor(
    private readonly schedule: Schedule,
    private readonly acts: DiskActs,
  ) {}

  /** Every database that this thread opens is on this disk. Returns what undoes that. */
  enter(): () => void {
    const { open } = sqliteFile;
    sqliteFile.open = (file) => {
      const handle = new WorldFile(file, this.watches());
      this.handles.set(handle, this.schedule.current);
      return handle;
    };
    return () => {
      sqliteFile.open = open;
    };
  }

  private watches(): FileWatch {
    return {
      reached: () => this.reached(),
      begin: (handle) => void this.writing.add(handle),
      rollback: (handle) => void this.writing.delete(handle),
      commit: (handle, run) => this.commit(handle, run),
      closed: (handle) => void this.handles.delete(handle),
    };
  }

  /** Throws if the program that runs is dead: it reaches nothing any more. */
  private reached(): void {
    if (!this.schedule.current.alive) throw new Error('The process has ended.');
  }

  /**
   * What a dead program leaves, copied to a new folder: with `power` lost, what was synced and a part of the rest,
   * `torn(bytes)` of it.
   */
  leave(owner: Owner, from: string, to: string, torn: ((bytes: number) => number) | null): void {
    mkdirSync(to, { recursive: true });
    const wal = join(from, WAL);
    const size = existsSync(wal) ? statSync(wal).size : 0;
    for (const name of readdirSync(from)) {
      if (!/-shm$|^lock/.test(name)) copyFileSync(join(from, name), join(to, name));
    }
    const kept = torn ? Math.min(this.synced, size) : size;
    const left = torn ? kept + torn(size - kept) : size;
    if (left < size) truncateSync(join(to, WAL), left);
    for (const [handle, of] of [...this.handles]) if (of === owner) handle.close();
    this.writing.clear();
    // What the next life finds is on the disk.
    this.synced = left;
  }

  private commit(handle: Handle, run: () => void): void {
    this.reached();
    if (!this.writing.delete(handle)) return run();
    this.acts.beforeCommit();
    run();
    const wal = statSync(`${handle.location()}-wal`, { throwIfNoEntry: false });
    if (wal && this.levelOf(handle) >= FULL) this.synced = wal.size;
    this.schedule.spend(this.acts.commitTime());
    this.acts.afterCommit();
  }

  /** What `synchronous` of the connection is now. */
  private levelOf(handle: Handle): number {
    const statement = this.levels.get(handle) ?? handle.prepare('PRAGMA synchronous');
    this.levels.set(handle, statement);
    return Number((statement.get() as { synchronous: number }).synchronous);
  }
}
