import { LRUCache } from 'lru-cache';
import type { Commits, Transaction } from './commits';
import { markStale, type DataVersion } from './data-version';

const MAX_ENTRIES = 10_000;

/**
 * Remembers rows that are read with every request and change rarely: keys, workspaces, domains, settings, coin accounts.
 * Every write to them in this process clears it; those of others are noticed by `Freshness`.
 */
export class ReadCache {
  private readonly rows = new LRUCache<string, { value: unknown }>({ max: MAX_ENTRIES });
  private generation = -1;

  constructor(
    private readonly commits: Commits,
    private readonly dataVersion: DataVersion,
  ) {}

  /** A write to something that is remembered here. No read can come between the work and its commit. */
  write<T>(work: (tx: Transaction) => T): Promise<T> {
    return this.commits.write((tx) => {
      this.rows.clear();
      markStale(tx.db);
      return work(tx);
    });
  }

  /** The value under the key, loaded when it is not known or may have changed. */
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

  /** After a write to this one row, inside its transaction. */
  forget(key: string): void {
    this.rows.delete(key);
  }

  /** After a write that went past this cache. */
  clear(): void {
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
