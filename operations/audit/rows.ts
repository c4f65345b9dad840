import type { AuditRows, AuditSnapshot, FindKeys, Pages } from '../../stores/ports/audit-source';

/** All rows of a few pages. */
export async function allOf<T>(pages: Pages<T>): Promise<T[]> {
  const rows: T[] = [];
  for await (const page of pages) rows.push(...page);
  return rows;
}

/** All rows with one of these keys; null is no key. */
export async function find<N extends keyof FindKeys, K extends keyof FindKeys[N] & string>(
  rows: AuditSnapshot,
  name: N,
  by: K,
  keys: readonly (FindKeys[N][K] | null)[],
): Promise<AuditRows[N][]> {
  const known = keys.filter((key) => key !== null);
  return known.length === 0 ? [] : allOf(rows.find(name, by, known));
}

/** The rows by their key; of several the last one. */
export const byKey = <T, K>(rows: readonly T[], keyOf: (row: T) => K): Map<K, T> =>
  new Map(rows.map((row) => [keyOf(row), row]));

/** The rows with each key, in their order. */
export function grouped<T, K>(rows: readonly T[], keyOf: (row: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group) group.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return groups;
}

/** Adds to the count of a key. */
export const countIn = <K>(counts: Map<K, number>, key: K, n = 1): void =>
  void counts.set(key, (counts.get(key) ?? 0) + n);

/**
 * The latest end of a lease, ms: how far the service got by its own clock, or at most some seconds more. A released
 * lease keeps its end. Null if it never ran.
 */
export async function readAliveUntil(rows: AuditSnapshot): Promise<number | null> {
  const leases = await allOf(rows.scan('leases', null));
  return leases.length === 0 ? null : Math.max(...leases.map(({ expiresAt }) => expiresAt));
}
