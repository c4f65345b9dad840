import { dirname, join } from 'node:path';
import type { AppendedRow } from '../log/log-tail';
import { TopicSignals } from '../log/topic-signals';
import type { EventLog } from '../../../streams/event-log';
import type { Stores } from '../../ports';
import type { Message } from '../../../domain/messages/message';
import { decideChange } from '../../shared/decide-change';
import { SharedBodies } from '../../shared/shared-bodies';
import type { Engine } from '../../ports/engine';
import { UnavailableError } from '../../../lib/errors';
import { wrapEachMethod } from '../../../lib/wrap-methods';
import { toAcceptanceRow } from '../messages/acceptance-row';
import type { Commits } from '../database/commits';
import { Database } from '../database/database';
import { foreignWrites } from '../database/data-version';
import { isSearch } from '../messages/find-messages';
import { toJob } from '../messages/read-job';
import type { EmbeddedOptions } from '../open';
import { embeddedParts, withRecords, type DriverStores, type Parts } from '../stores';
import { QueryClient } from './query-client';
import { INNER_METHODS, LOG_THREAD_METHODS, storeMethods, type ComposedStores, type InnerMethods } from './methods';
import { ThreadClient } from './thread-client';

/** Stores with cached rows. `queue` is included because a claim changes the coin account. */
const CACHED_STORES: ReadonlySet<keyof Stores> = new Set([
  'workspaces',
  'credentials',
  'domains',
  'settings',
  'coins',
  'queue',
]);

export interface ThreadedOptions extends EmbeddedOptions {
  /** The compiled store-thread. The compiled checkpointer and query-worker must be in the same folder. */
  program: string;
  /** Called if the thread ends by itself. The engine cannot be used any more. */
  onGone: (error: Error) => void;
}

/**
 * Opens the embedded engine with a separate thread for all writes, so that commits and checkpoints hold up no request
 * and no hand-off. Rare reads run in this thread, on a second connection to the same file. Throws NewerSchemaError and
 * UnavailableError (lib/errors).
 */
export async function openThreaded({ file, clock, program, onGone, groups }: ThreadedOptions): Promise<Engine> {
  // Opened before the thread, so that errors of the file are thrown here. This also creates the tables.
  const db = new Database(file);
  const signals = new TopicSignals(foreignWrites(db));
  const now = (): number => clock.now();
  const client = new ThreadClient(program, { file, ...(groups && { groups }) }, { now, onAnswers, onGone });
  const queries = new QueryClient(join(dirname(program), 'query-worker.js'), file);
  const inner = remote<InnerMethods>(client, '', INNER_METHODS);
  const commits: Commits = {
    write: () => Promise.reject(new UnavailableError('This write must run in the store thread.')),
  };
  const parts = embeddedParts(db, commits, signals, now, {
    cursors: { move: inner.moveCursors, start: inner.startCursors },
    ...(groups && { groups }),
  });
  function onAnswers(appended: readonly AppendedRow[]): void {
    db.endRead();
    signals.appended(appended);
  }
  return {
    stores: threadedStores(parts, client, inner, queries, db),
    log: { ...parts.log, ...remote<EventLog>(client, 'log.', LOG_THREAD_METHODS) },
    close: async () => {
      await parts.log.close();
      await queries.close();
      // The thread checkpoints the log when it closes.
      db.close({ checkpoint: false });
      await client.call('close', []);
      await client.terminate();
    },
  };
}

function threadedStores(
  parts: Parts,
  client: ThreadClient,
  inner: InnerMethods,
  queries: QueryClient,
  db: Database,
): Stores {
  const getMessage = (id: string): Promise<Message | null> => client.call('messages.get', [id]);
  const composed: Partial<Record<keyof Stores, object>> = composedStores(parts, inner, getMessage, queries, db);
  const threaded = (name: keyof Stores): object => {
    const methods = remote<object>(client, `${name}.`, storeMethods(name));
    return {
      ...parts.stores[name],
      ...(CACHED_STORES.has(name) ? clearingCache(methods, () => parts.forget(name)) : methods),
      ...composed[name],
    };
  };
  const names = Object.keys(parts.stores) as (keyof Stores)[];
  return withRecords(Object.fromEntries(names.map((name) => [name, threaded(name)])) as unknown as DriverStores);
}

function composedStores(
  { stores }: Parts,
  { acceptRows, applyChange, jobRow }: InnerMethods,
  getMessage: (id: string) => Promise<Message | null>,
  queries: QueryClient,
  db: Database,
): ComposedStores {
  const shared = new SharedBodies();
  return {
    messages: {
      accept: (acceptances) => acceptRows(acceptances.map(toAcceptanceRow)),
      list: (workspaceId, query) =>
        // The messages of a contact are few.
        isSearch(query) && query.contactId === undefined
          ? queries.messages(workspaceId, query)
          : stores.messages.list(workspaceId, query),
      job: async (id, upTo) => {
        const row = await jobRow(id, upTo);
        return row && toJob(row, db, shared);
      },
      change: (id, decide, known) =>
        decideChange(
          () => getMessage(id),
          ({ version }, change) => applyChange(id, version, change),
          decide,
          known,
        ),
    },
    messageFinder: { find: (...search) => queries.search(...search) },
    engagement: { top: (...query) => queries.top(...query) },
  };
}

/** Clears the cache after a write, so that the next read of the caller sees it. */
const clearingCache = (methods: object, forget: () => void): object =>
  wrapEachMethod(
    methods,
    () =>
      (method) =>
      (...args) =>
        method(...args).finally(forget),
  );

/** Calls the named methods in the thread. */
function remote<T extends object>(client: ThreadClient, prefix: string, names: readonly string[]): T {
  const methods = names.map((name) => [name, (...args: unknown[]) => client.call(`${prefix}${name}`, args)]);
  return Object.fromEntries(methods) as T;
}
