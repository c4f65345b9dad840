import type { RecordEntry, RecordKind, RecordOwner, Written } from '../../domain/records/record';
import { OvertakenError } from '../../lib/errors';
import type { NewRecord, RecordStore } from '../ports/record-store';

type Kind<B> = RecordKind<B, keyof RecordOwner>;

/** Records that are read at a time. */
const PAGE = 500;
/** Tries of a change that others overtake. */
const TRIES = 50;

/** Which records a driver lists, in the order of their ids. */
export interface RecordPage {
  /** Null: those that belong to none; so is `workspaceId`. */
  user?: string | null;
  workspaceId?: number | null;
  prefix?: string;
  /** '': from the first. */
  after: string;
  limit: number;
}

/** The records of a driver, by the name of their kind. The methods are those of RecordStore, for one statement each. */
export interface RecordTable {
  add(entry: RecordEntry, now: number): Promise<boolean>;
  get(kind: string, id: string, now: number): Promise<RecordEntry | null>;
  list(kind: string, page: RecordPage, now: number): Promise<RecordEntry[]>;
  /** Writes body and expiry, and the next version, if the record still has the version of `held`. */
  replace(
    held: Pick<RecordEntry, 'kind' | 'id' | 'version'>,
    written: Pick<RecordEntry, 'body' | 'expiresAt'>,
  ): Promise<boolean>;
  take(kind: string, id: string, now: number): Promise<RecordEntry | null>;
  removeOf(kind: string, user: string, except: string | null): Promise<number>;
  trim(now: number, limit: number): Promise<number>;
}

/** RecordStore for every driver. */
export function recordStore(table: RecordTable): RecordStore {
  const replace: RecordStore['replace'] = async (kind, held, written, now) => {
    const next = nextOf(kind, held, written, now);
    return (await table.replace(held, next)) ? next : null;
  };
  const add = async <B>(kind: Kind<B>, entry: NewRecord<B> & Partial<RecordOwner>, now: number) => {
    const nothing = { kind: kind.name, expiresAt: null, version: 0 };
    const next = nextOf(kind, { user: null, workspaceId: null, ...entry, ...nothing }, entry, now);
    return (await table.add(next, now)) ? next : null;
  };
  const get = <B>({ name }: Kind<B>, id: string, now: number) =>
    table.get(name, id, now) as Promise<RecordEntry<B> | null>;
  return {
    add,
    get,
    replace,
    list: async <B>(kind: Kind<B>, filter: object, now: number) =>
      (await listAll(table, kind.name, filter, now)) as RecordEntry<B>[],
    change: async (kind, id, rule, { now, known, ...more }) => {
      let held = known ?? (await get(kind, id, now));
      for (let tries = 0; tries < TRIES; tries += 1) {
        const body = rule(held?.body ?? null);
        if (body === null) return null;
        if (held && body === held.body) return held;
        const next = await (held ? replace(kind, held, { ...more, body }, now) : add(kind, { ...more, id, body }, now));
        if (next) return next;
        held = await get(kind, id, now);
      }
      throw new OvertakenError(`What is kept of ${id} changes all the time.`);
    },
    take: <B>({ name }: Kind<B>, id: string, now: number) =>
      table.take(name, id, now) as Promise<RecordEntry<B> | null>,
    removeOf: ({ name }, user, except) => table.removeOf(name, user, except),
    trim: (now, limit) => table.trim(now, limit),
  };
}

function nextOf<B>(
  kind: Kind<B>,
  held: RecordEntry<unknown>,
  { body, expiresAt }: Written<B>,
  now: number,
): RecordEntry<B> {
  const byRule = kind.expiresAt ? kind.expiresAt(body, now) : held.expiresAt;
  return { ...held, expiresAt: expiresAt === undefined ? byRule : expiresAt, body, version: held.version + 1 };
}

async function listAll(
  table: RecordTable,
  kind: string,
  { limit = Infinity, ...filter }: Partial<RecordPage>,
  now: number,
): Promise<RecordEntry[]> {
  const found: RecordEntry[] = [];
  for (let after = filter.after ?? ''; ;) {
    const size = Math.min(PAGE, limit - found.length);
    const page = await table.list(kind, { ...filter, after, limit: size }, now);
    found.push(...page);
    if (page.length < size || found.length === limit) return found;
    after = page.at(-1)!.id;
  }
}
