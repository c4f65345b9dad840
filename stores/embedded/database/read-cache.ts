import { LRUCache } from 'lru-cache';
import type { Commits, Transaction } from './commits';
import { markStale, type DataVersion } from './data-version';

const MAX_ENTRIES = 10_000;

/**
 * Caches rows that are read with every request and change rarely: keys, SMTP logins, workspaces, domains, settings,
 * coin accounts. Every write to them in this process clears the cache; writes of others are detected by `DataVersion`.
 */
export class ReadCache {
  private readonly rows = new LRUCache<string, { value: unknown }>({
    // Not `max`, which takes the memory of all of them at once.
    maxSize: MAX_ENTRIES,
    sizeCalculation: () => 1,
  });
  private generation = -1;

  constructor(
    private readonly commits: Commits,
    private readonly dataVersion: DataVersion,
  ) {}

  /** Writes to cached data. No read can come between the work and its commit. */
  write<T>(work: (tx: Transaction) => T): Promise<T> {
    return this.commits.write((tx) => {
      this.rows.clear();
      markStale(tx.db);
      return work(tx);
    });
  }

  /** Returns the value of the key. Loads it if it is not cached or may be stale. */
  get<T>(key: string, load: () => T): T {
    const generation = this.dataVersion.generation();
    if (generation !== this.generation) this.rows.clear();
    this.generation = generation;
    const known = this.rows.get(key);
    if (known) return copy(known.value as T);
    const value = load();
    this.rows.set(key, { value });
    return copy(value);
  }

  /** Removes one row after a write to it; must run inside the transaction of the write. */
  forget(key: string): void {
    this.rows.delete(key);
  }

  /** Clears the cache after a write that bypassed it. */
  clear(): void {
    this.rows.clear();
  }
}

/** Copies a value, since callers may change it. Rows are flat except for arrays. */
function copy<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return [...(value as unknown[])] as T;
  const fields = { ...value } as Record<string, unknown>;
  for (const name in fields) {
    if (Array.isArray(fields[name])) fields[name] = [...(fields[name] as unknown[])];
  }
  return fields as T;
}
