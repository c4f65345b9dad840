import { DatabaseSync } from '@photostructure/sqlite';
import { cpSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { sqliteFile, type Handle } from '../../stores/embedded/database/sqlite-file';
import type { Owner, Schedule } from './schedule';
import { WorldFile, type FileWatch } from './world-file';

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
/** Files that end with the process. */
const GONE = /-shm$|^lock/;

/**
 * The disk of the world: SQLite itself, on real files. What a commit has synced survives a power loss; what was only
 * written survives in part. That part is a model: it follows from what SQLite is set to, not from what it did.
 */
export class Disk {
  private readonly handles = new Map<Handle, Owner>();
  /** Those in a write transaction. */
  private readonly writing = new Set<Handle>();
  private readonly levels = new WeakMap<Handle, number>();
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
   * Moves what a dead program leaves to a new folder: all that was written, or, with power lost, what was synced and
   * a part of the rest, `torn(bytes)` of it.
   */
  leave(owner: Owner, from: string, to: string, torn: ((bytes: number) => number) | null): void {
    const size = statSync(join(from, WAL), { throwIfNoEntry: false })?.size ?? 0;
    const kept = Math.min(this.synced, size);
    const left = torn ? kept + torn(size - kept) : size;
    // Copied, since a statement that had not ended keeps its connection, and with it the old files, open.
    cpSync(from, to, { recursive: true });
    for (const name of readdirSync(to)) if (GONE.test(name)) rmSync(join(to, name));
    for (const [handle, of] of [...this.handles]) if (of === owner) handle.close();
    rmSync(from, { recursive: true, force: true });
    this.writing.clear();
    if (left < size) truncateSync(join(to, WAL), left);
    else recover(join(to, DATABASE));
    // What the next life finds is on the disk.
    this.synced = left < size ? left : 0;
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

  /** What `synchronous` of the connection was at its first commit: it is set once. */
  private levelOf(handle: Handle): number {
    let level = this.levels.get(handle);
    if (level === undefined) {
      level = (handle.prepare('PRAGMA synchronous').get() as { synchronous: number }).synchronous;
      this.levels.set(handle, level);
    }
    return level;
  }
}

/** Where the whole log is left, SQLite recovers it here: a program that starts often would read an ever longer one. */
function recover(file: string): void {
  const db = new DatabaseSync(file);
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
}
