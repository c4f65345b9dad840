import type { EventLog, Position } from '../../../streams/event-log';
import type { GroupName, TopicName } from '../../../streams/topics';
import type { Stores } from '../../ports';
import { releaseBytes } from '../../../lib/release-bytes';
import type { Acceptance, AcceptOutcome, MessageChange } from '../../ports/message-store';
import { acceptMessages } from '../messages/accept-messages';
import { toAcceptance, type AcceptanceRow } from '../messages/acceptance-row';
import { applyChange } from '../messages/change-message';
import type { Commits } from '../database/commits';
import type { Database } from '../database/database';
import { readJobRow } from '../messages/read-job';
import { cursorWrites, type DriverStores, type Parts } from '../stores';

/**
 * Where a method of a port runs.
 * - `thread`: in the store's thread. All writes, and reads that are needed for every mail, since their pages are cached
 *   there.
 * - `caller`: in the caller's thread, on a second connection to the same file. Rare reads.
 * - `composed`: in the caller's thread, built from other calls; see openThreaded.
 */
type RunsIn = 'thread' | 'caller' | 'composed';
type Lists<Port> = { readonly [R in RunsIn]?: readonly (keyof Port)[] };
type ListedIn<L, R extends RunsIn> = L extends { readonly [I in R]: readonly (infer Method)[] } ? Method : never;
type Missing<Ports, T extends object> = {
  [P in keyof Ports & keyof T]: Exclude<keyof Ports[P], { [R in RunsIn]: ListedIn<T[P], R> }[RunsIn]>;
}[keyof Ports & keyof T];

/** Lists the methods of ports by where they run. A missing method does not compile. */
const placed =
  <Ports>() =>
  <const T extends { readonly [P in keyof Ports]: Lists<Ports[P]> }>(
    lists: T & ([Missing<Ports, T>] extends [never] ? unknown : { missing: Missing<Ports, T> }),
  ): T =>
    lists;

const STORE_METHODS = placed<DriverStores>()({
  workspaces: { thread: ['create', 'update', 'setRate'], caller: ['get', 'list'] },
  credentials: {
    thread: ['createKey', 'revokeKey', 'createLogin', 'setPassword', 'rememberNetwork'],
    caller: ['findKey', 'listKeys', 'findLogin', 'listLogins', 'networkSeenAt'],
  },
  domains: { thread: ['create', 'setStatus', 'setMail', 'setDkim'], caller: ['get', 'findByName', 'list', 'page'] },
  contacts: {
    thread: ['ensure', 'raiseStatus', 'resubscribe', 'rename', 'delete'],
    caller: ['find', 'get', 'findByHashes', 'list', 'recipientHash'],
  },
  images: { thread: ['add', 'delete'], caller: ['content', 'list', 'usedBy'] },
  templates: { thread: ['create', 'edit', 'delete'], caller: ['get', 'list'] },
  audiences: {
    thread: ['create', 'change', 'join', 'leave'],
    caller: ['get', 'findByToken', 'list', 'members', 'ofContact'],
  },
  optIns: { thread: ['subscribe', 'confirm', 'expire', 'noteBounce'], caller: ['find', 'consents'] },
  bulkContacts: { thread: ['add'], caller: ['toAsk', 'contacts', 'search', 'members'] },
  suppressions: { thread: ['add', 'remove'], caller: ['reason', 'page', 'list'] },
  bounces: {
    thread: ['keepUnread', 'trimUnread'],
    caller: ['refusedSince', 'refusals', 'hardSince', 'complainedSince', 'unread'],
  },
  messages: {
    thread: ['get'],
    caller: ['findByIdempotencyKey', 'getMany', 'history', 'attempts', 'links'],
    composed: ['accept', 'change', 'job', 'list'],
  },
  messageHours: { caller: ['between'] },
  messageFinder: { composed: ['find'] },
  queue: {
    thread: ['claim', 'due', 'hold', 'release'],
    caller: ['workspacesWaiting', 'nextDue', 'waiting', 'recentClaims', 'claimsOn', 'backlogByClass'],
  },
  wakeups: { thread: ['write'], caller: ['list', 'find'] },
  deadlines: { caller: ['overdue', 'unfenced', 'pastFence', 'unknown', 'attachmentsExpired', 'nextDeadline'] },
  backlogs: { caller: ['lanes', 'claimed', 'awaitingReport', 'tasks', 'held', 'outbox'] },
  taskWakes: { thread: ['hasten'] },
  dueTasks: {
    thread: ['schedule', 'claim', 'finish', 'giveUp', 'cancel', 'redrive'],
    caller: ['kinds', 'nextDue', 'lanesDue', 'givenUp'],
  },
  setBack: { thread: ['settle'], caller: ['stampedAfter'] },
  coins: { thread: ['post'], caller: ['account', 'ofMessage', 'rows', 'newest'] },
  leases: { thread: ['acquire', 'renew', 'renewAll', 'release', 'remove', 'retire'], caller: ['list'] },
  signals: { thread: ['store', 'flag'], caller: ['reasonAt', 'ofMessage'] },
  engagement: { caller: ['ofContact'], composed: ['top'] },
  conversions: {
    thread: ['accept', 'link', 'settle'],
    caller: ['get', 'affectedBy', 'clicks', 'list', 'listAfter', 'ofJourney'],
  },
  campaigns: { thread: ['create', 'edit', 'approve', 'delete'], caller: ['get', 'list'] },
  campaignRuns: {
    thread: ['start', 'move', 'expand', 'feed', 'settle', 'mark'],
    caller: ['countMembers', 'progress', 'recipients', 'linkClicks'],
  },
  journeys: { thread: ['create', 'edit', 'delete', 'replaceSecret', 'setStatus'], caller: ['get', 'version', 'list'] },
  journeyRuns: {
    thread: ['enroll', 'advance', 'leave', 'reachGoal', 'resume'],
    caller: ['open', 'list', 'count', 'countSteps', 'ofContact'],
  },
  journeyPosts: { thread: ['finish', 'trim'], caller: ['open', 'list'] },
  webhooks: { thread: ['create', 'delete', 'enable', 'disable', 'restart', 'report'], caller: ['get', 'list'] },
  deliveries: {
    thread: ['fanOut', 'enqueue', 'retry', 'finish', 'cancelWaiting', 'trim'],
    caller: ['getMany', 'list', 'ofMessage', 'events'],
  },
  settings: { thread: ['set', 'setOnce', 'replace'], caller: ['get'] },
  operatorLog: { thread: ['append'], caller: ['list'] },
  records: { thread: ['add', 'replace', 'take', 'removeOf', 'trim'], caller: ['get', 'list'] },
});

/** `reader` and `close` run in the caller; its readers move their cursors in the thread. */
const LOG_METHODS = placed<{ log: EventLog }>()({
  log: {
    thread: ['publish', 'park', 'redrive', 'trim'],
    caller: ['reader', 'partitions', 'parked', 'lag', 'behindSince', 'close'],
  },
});

/** Names of the methods of a store, and of the log, that run in the store's thread. */
export const storeMethods = (store: keyof Stores): readonly string[] =>
  (STORE_METHODS[store] as { thread?: readonly string[] }).thread ?? [];
export const LOG_THREAD_METHODS: readonly string[] = LOG_METHODS.log.thread;

type ComposedOf<S extends keyof Stores> = Pick<
  Stores[S],
  ListedIn<(typeof STORE_METHODS)[S], 'composed'> & keyof Stores[S]
>;
/** The methods that the caller composes: all of them, and no others. */
export type ComposedStores = {
  [S in keyof Stores as keyof ComposedOf<S> extends never ? never : S]: ComposedOf<S>;
};

/** The rows are this thread's own copy, so their bytes are released once they are written. */
async function acceptRows(commits: Commits, acceptances: readonly Acceptance[]): Promise<AcceptOutcome[]> {
  try {
    return await commits.write((tx) => acceptMessages(tx, acceptances));
  } finally {
    releaseBytes(acceptances.flatMap(({ attachments }) => attachments.map(({ content }) => content)));
  }
}

/** Internal methods that the caller's part of the drivers needs. */
export const innerMethods = (db: Database, commits: Commits) => ({
  acceptRows: (rows: readonly AcceptanceRow[]) => acceptRows(commits, rows.map(toAcceptance)),
  jobRow: async (id: string, upTo?: number) => readJobRow(db, id, upTo),
  applyChange: (id: string, version: number, change: MessageChange) =>
    commits.write((tx) => applyChange(tx, id, version, change)),
  moveCursors: (group: GroupName, positions: readonly Position[]) => cursorWrites(commits).move(group, positions),
  startCursors: (group: GroupName, topics: readonly TopicName[]) => cursorWrites(commits).start(group, topics),
});
export type InnerMethods = ReturnType<typeof innerMethods>;
const INNER = placed<{ inner: InnerMethods }>()({
  inner: { thread: ['acceptRows', 'jobRow', 'applyChange', 'moveCursors', 'startCursors'] },
});
export const INNER_METHODS: readonly string[] = INNER.inner.thread;

/** A method as it is called across threads. */
export type Handler = (...args: never[]) => Promise<unknown>;

/** Every method that runs in the thread, by name: `store.method`, `log.method`, or the name of an internal method. */
export function threadMethods({ stores, log }: Parts, db: Database, commits: Commits): Map<string, Handler> {
  const handlers = new Map<string, Handler>(Object.entries(innerMethods(db, commits)));
  const add = (prefix: string, methods: readonly string[], target: object): void => {
    for (const method of methods) handlers.set(`${prefix}.${method}`, (target as Record<string, Handler>)[method]!);
  };
  for (const name of Object.keys(stores) as (keyof Stores)[]) add(name, storeMethods(name), stores[name]);
  add('log', LOG_THREAD_METHODS, log);
  return handlers;
}
