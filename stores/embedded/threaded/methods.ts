import type { EventLog, Position } from '../../../streams/event-log';
import type { GroupName, TopicName } from '../../../streams/topics';
import type { Stores } from '../../ports';
import type { MessageChange } from '../../ports/message-store';
import { acceptMessage } from '../messages/accept-messages';
import { toAcceptance, type AcceptanceRow } from '../messages/acceptance-row';
import { applyChange } from '../messages/change-message';
import type { Commits } from '../database/commits';
import type { Database } from '../database/database';
import { readJobRow } from '../messages/read-job';
import { cursorWrites, type Parts } from '../parts';

/**
 * Methods of the stores that the store's thread runs: all that write, and what is read for every mail, since there its pages
 * are in memory. `messages.accept` is made of `acceptRow`, `change` of `get` and `applyChange`, `job` of `jobRow`.
 */
export const STORE_METHODS = {
  workspaces: ['create', 'update'],
  credentials: ['createKey', 'revokeKey', 'createLogin', 'setPassword'],
  domains: ['create', 'setStatus'],
  contacts: ['ensure', 'raiseStatus', 'rename', 'delete'],
  audiences: ['create', 'join', 'leave'],
  suppressions: ['add', 'remove'],
  messages: ['get'],
  queue: ['claim'],
  coins: ['post'],
  leases: ['acquire', 'renew', 'release', 'remove'],
  signals: ['store'],
  engagement: [],
  conversions: ['accept'],
  campaigns: ['create'],
  journeys: ['create', 'setStatus', 'enrol'],
  webhooks: ['create', 'delete'],
  settings: ['set', 'setOnce', 'replace'],
  operatorLog: ['append'],
} as const satisfies { [S in keyof Stores]: readonly (keyof Stores[S])[] };

export const LOG_METHODS = ['publish', 'park', 'redrive', 'trim'] as const satisfies readonly (keyof EventLog)[];

/** What the caller's half of the drivers is made of besides. */
export const innerMethods = (db: Database, commits: Commits) => ({
  acceptRow: (row: AcceptanceRow) => commits.write((tx) => acceptMessage(tx, toAcceptance(row))),
  jobRow: async (id: string) => readJobRow(db, id),
  applyChange: (id: string, version: number, change: MessageChange) =>
    commits.write((tx) => applyChange(tx, id, version, change)),
  moveCursors: (group: GroupName, positions: readonly Position[]) => cursorWrites(commits).move(group, positions),
  startCursors: (group: GroupName, topics: readonly TopicName[]) => cursorWrites(commits).start(group, topics),
});
export type InnerMethods = ReturnType<typeof innerMethods>;

/** A method as the other side of the thread names and calls it. */
export type Handler = (...args: never[]) => Promise<unknown>;

/** Every method that runs in the thread, by its name: `store.method`, `log.method`, or that of an inner one. */
export function threadMethods({ stores, log }: Parts, db: Database, commits: Commits): Map<string, Handler> {
  const handlers = new Map<string, Handler>(Object.entries(innerMethods(db, commits)));
  for (const [store, methods] of Object.entries(STORE_METHODS)) {
    const target = stores[store as keyof Stores] as unknown as Record<string, Handler>;
    for (const method of methods) handlers.set(`${store}.${method}`, target[method]!);
  }
  const target = log as unknown as Record<string, Handler>;
  for (const method of LOG_METHODS) handlers.set(`log.${method}`, target[method]!);
  return handlers;
}
