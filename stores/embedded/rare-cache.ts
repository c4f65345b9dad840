import { LRUCache } from 'lru-cache';
import type { Database } from './database';
import type { GroupCommit, Transaction } from './group-commit';

const MAX_ENTRIES = 10_000;

/**
 * Remembers rows that are read with every request and change rarely: keys, workspaces, domains, settings. Every write to
 * them in this process clears it; writes of another process (the command line) are noticed by SQLite's own counter, looked
 * at once in each turn of the event loop, which is before anything that arrived after such a write is served.
 */
export class RareCache {
  private readonly rows = new LRUCache<string, { value: unknown }>({ max: MAX_ENTRIES });
  private version = -1;
  private checked = false;

  constructor(
    private readonly db: Database,
    private readonly commits: GroupCommit,
  ) {}

  /** A write to something that is remembered here. No read can come between the work and its commit. */
  write<T>(work: (tx: Transaction) => T): Promise<T> {
    return this.commits.write((tx) => {
      this.rows.clear();
      return work(tx);
    });
  }

  /** The value under the key, loaded when it is not known or may have changed. */
  get<T>(key: string, load: () => T): T {
    this.check();
    const known = this.rows.get(key);
    if (known) return copy(known.value as T);
    const value = load();
    this.rows.set(key, { value });
    return copy(value);
  }

  /** After a write to this one row, inside its transaction. */
  forget(key: string): void {
    this.rows.delete(key);
  }

  private check(): void {
    if (this.checked) return;
    this.checked = true;
    setImmediate(() => (this.checked = false));
    const { data_version: version } = this.db.get<{ data_version: number }>('PRAGMA data_version')!;
    if (version === this.version) return;
    this.version = version;
    this.rows.clear();
  }
}

/** Callers may change what they were given; rows are flat but for lists. */
function copy<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return [...(value as unknown[])] as T;
  const fields = { ...value } as Record<string, unknown>;
  for (const name in fields) {
    if (Array.isArray(fields[name])) fields[name] = [...(fields[name] as unknown[])];
  }
  return fields as T;
}
