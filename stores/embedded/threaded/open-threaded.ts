import { dirname, join } from 'node:path';
import { TopicSignals } from '../log/topic-signals';
import type { EventLog } from '../../../streams/event-log';
import type { Stores } from '../../ports';
import { decideChange } from '../../shared/decide-change';
import type { Engine } from '../../ports/engine';
import { UnavailableError } from '../../../lib/errors';
import { toAcceptanceRow } from '../messages/acceptance-row';
import type { Commits } from '../database/commits';
import { Database } from '../database/database';
import { toJob } from '../messages/read-job';
import type { EmbeddedOptions } from '../open';
import { embeddedParts, type Parts } from '../parts';
import { QueryClient } from './query-client';
import { LOG_METHODS, STORE_METHODS, type InnerMethods } from './methods';
import { ThreadClient } from './thread-client';

/** Stores with rows that are remembered; a claim moves the coin account. */
const REMEMBERED: ReadonlySet<keyof Stores> = new Set([
  'workspaces',
  'credentials',
  'domains',
  'settings',
  'coins',
  'queue',
]);

export interface ThreadedOptions extends EmbeddedOptions {
  /** The compiled store-thread; checkpointer and query-thread lie beside it. */
  program: string;
  /** The thread ended by itself; the engine is of no use any more. */
  onGone: (error: Error) => void;
}

/**
 * Opens the embedded engine with a thread of its own for everything that is written: commits and checkpoints then hold up no
 * request and no hand-off. What is read seldom is read here, on a second connection to the same file.
 * Throws NewerSchemaError and UnavailableError (stores/ports/errors).
 */
export async function openThreaded({ file, clock, program, onGone, groups }: ThreadedOptions): Promise<Engine> {
  // Before the thread, so that the errors of the file are ours to throw; it also makes the tables.
  const db = new Database(file);
  const signals = new TopicSignals();
  const now = (): number => clock.now();
  const client = new ThreadClient(program, { file, ...(groups && { groups }) }, { now, onAnswers, onGone });
  const questions = new QueryClient(join(dirname(program), 'query-thread.js'), file);
  const inner = remote<InnerMethods>(client, '', ['acceptRow', 'applyChange', 'jobRow', 'moveCursors', 'startCursors']);
  const commits: Commits = {
    write: () => Promise.reject(new UnavailableError('This write belongs into the thread of the store.')),
  };
  const parts = embeddedParts(db, commits, signals, now, {
    cursors: { move: inner.moveCursors, start: inner.startCursors },
    ...(groups && { groups }),
  });
  function onAnswers(topics: Parameters<typeof signals.wake>[0]): void {
    db.endRead();
    signals.wake(topics);
  }
  return {
    stores: { ...threadedStores(parts, client, inner), engagement: questions },
    log: { ...parts.log, ...remote<EventLog>(client, 'log.', LOG_METHODS) },
    close: async () => {
      await parts.log.close();
      await questions.close();
      // The thread brings the log into the file.
      db.close({ checkpoint: false });
      await client.call('close', []);
      await client.terminate();
    },
  };
}

function threadedStores(parts: Parts, client: ThreadClient, { acceptRow, applyChange, jobRow }: InnerMethods): Stores {
  const threaded = (name: keyof Stores): object => {
    const methods = remote<object>(client, `${name}.`, STORE_METHODS[name]);
    return {
      ...parts.stores[name],
      ...(REMEMBERED.has(name) ? forgetting(methods, () => parts.forget(name)) : methods),
    };
  };
  const names = Object.keys(parts.stores) as (keyof Stores)[];
  const stores = Object.fromEntries(names.map((name) => [name, threaded(name)])) as unknown as Stores;
  const { messages } = stores;
  return {
    ...stores,
    messages: {
      ...messages,
      accept: (acceptance) => acceptRow(toAcceptanceRow(acceptance)),
      job: async (id) => {
        const row = await jobRow(id);
        return row && toJob(row);
      },
      change: (id, decide, known) =>
        decideChange(
          () => messages.get(id),
          ({ version }, change) => applyChange(id, version, change),
          decide,
          known,
        ),
    },
  };
}

/** Whoever wrote to what is remembered here sees it when he reads next. */
function forgetting(methods: object, forget: () => void): object {
  const entries = Object.entries(methods as Record<string, (...args: unknown[]) => Promise<unknown>>);
  return Object.fromEntries(
    entries.map(([name, method]) => [name, (...args: unknown[]) => method(...args).finally(forget)]),
  );
}

/** The named methods, run in the thread. */
function remote<T extends object>(client: ThreadClient, prefix: string, names: readonly string[]): T {
  const methods = names.map((name) => [name, (...args: unknown[]) => client.call(`${prefix}${name}`, args)]);
  return Object.fromEntries(methods) as T;
}
