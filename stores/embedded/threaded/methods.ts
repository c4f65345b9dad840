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
type MethodsOf<Port> = { readonly [Method in keyof Port]-?: RunsIn };

/** Where every method of every store runs. A missing method does not compile. */
const STORE_METHODS = {
  workspaces: { create: 'thread', update: 'thread', setRate: 'thread', get: 'caller', list: 'caller' },
  credentials: {
    createKey: 'thread',
    revokeKey: 'thread',
    createLogin: 'thread',
    setPassword: 'thread',
    rememberNetwork: 'thread',
    findKey: 'caller',
    listKeys: 'caller',
    findLogin: 'caller',
    listLogins: 'caller',
    networkSeenAt: 'caller',
  },
  domains: {
    create: 'thread',
    setStatus: 'thread',
    setMail: 'thread',
    setDkim: 'thread',
    get: 'caller',
    findByName: 'caller',
    ...{ list: 'caller', page: 'caller' },
  },
  contacts: {
    ensure: 'thread',
    raiseStatus: 'thread',
    resubscribe: 'thread',
    rename: 'thread',
    delete: 'thread',
    ...{ find: 'caller', get: 'caller' },
    findByHashes: 'caller',
    list: 'caller',
    recipientHash: 'caller',
  },
  images: { add: 'thread', delete: 'thread', content: 'caller', list: 'caller', usedBy: 'caller' },
  templates: { create: 'thread', edit: 'thread', delete: 'thread', get: 'caller', list: 'caller' },
  audiences: {
    create: 'thread',
    change: 'thread',
    join: 'thread',
    leave: 'thread',
    get: 'caller',
    findByToken: 'caller',
    list: 'caller',
    members: 'caller',
    ofContact: 'caller',
  },
  optIns: {
    subscribe: 'thread',
    confirm: 'thread',
    expire: 'thread',
    noteBounce: 'thread',
    find: 'caller',
    consents: 'caller',
  },
  bulkContacts: { add: 'thread', toAsk: 'caller', contacts: 'caller', search: 'caller', members: 'caller' },
  suppressions: { add: 'thread', remove: 'thread', reason: 'caller', page: 'caller', list: 'caller' },
  bounces: {
    ...{ keepUnread: 'thread', trimUnread: 'thread' },
    ...{ refusedSince: 'caller', refusals: 'caller', hardSince: 'caller', complainedSince: 'caller', unread: 'caller' },
  },
  messages: {
    get: 'thread',
    accept: 'composed',
    change: 'composed',
    job: 'composed',
    findByIdempotencyKey: 'caller',
    getMany: 'caller',
    list: 'composed',
    history: 'caller',
    attempts: 'caller',
    links: 'caller',
  },
  messageHours: { between: 'caller' },
  messageFinder: { find: 'composed' },
  queue: {
    claim: 'thread',
    due: 'thread',
    hold: 'thread',
    release: 'thread',
    workspacesWaiting: 'caller',
    nextDue: 'caller',
    ...{ waiting: 'caller', recentClaims: 'caller', claimsOn: 'caller' },
    backlogByClass: 'caller',
  },
  looks: { write: 'thread', list: 'caller', find: 'caller' },
  deadlines: {
    overdue: 'caller',
    unfenced: 'caller',
    pastFence: 'caller',
    unknown: 'caller',
    attachmentsExpired: 'caller',
    nextDeadline: 'caller',
  },
  backlogs: {
    ...{ lanes: 'caller', claimed: 'caller', awaitingReport: 'caller' },
    ...{ tasks: 'caller', held: 'caller', outbox: 'caller' },
  },
  taskWakes: { hasten: 'thread' },
  dueTasks: {
    ...{ schedule: 'thread', claim: 'thread', finish: 'thread' },
    ...{ giveUp: 'thread', cancel: 'thread', redrive: 'thread' },
    ...{ kinds: 'caller', nextDue: 'caller', lanesDue: 'caller', givenUp: 'caller' },
  },
  setBack: { settle: 'thread', stampedAfter: 'caller' },
  coins: { post: 'thread', account: 'caller', ofMessage: 'caller', rows: 'caller', newest: 'caller' },
  leases: {
    acquire: 'thread',
    ...{ renew: 'thread', renewAll: 'thread' },
    release: 'thread',
    remove: 'thread',
    retire: 'thread',
    list: 'caller',
  },
  signals: { store: 'thread', flag: 'thread', reasonAt: 'caller', ofMessage: 'caller' },
  engagement: { top: 'composed', ofContact: 'caller' },
  conversions: {
    accept: 'thread',
    link: 'thread',
    settle: 'thread',
    get: 'caller',
    affectedBy: 'caller',
    clicks: 'caller',
    list: 'caller',
    listAfter: 'caller',
    ofJourney: 'caller',
  },
  campaigns: { create: 'thread', edit: 'thread', approve: 'thread', delete: 'thread', get: 'caller', list: 'caller' },
  campaignRuns: {
    start: 'thread',
    move: 'thread',
    expand: 'thread',
    feed: 'thread',
    settle: 'thread',
    mark: 'thread',
    countMembers: 'caller',
    progress: 'caller',
    recipients: 'caller',
    linkClicks: 'caller',
  },
  journeys: {
    create: 'thread',
    edit: 'thread',
    delete: 'thread',
    replaceSecret: 'thread',
    setStatus: 'thread',
    get: 'caller',
    version: 'caller',
    list: 'caller',
  },
  journeyRuns: {
    enroll: 'thread',
    advance: 'thread',
    leave: 'thread',
    reachGoal: 'thread',
    resume: 'thread',
    open: 'caller',
    list: 'caller',
    count: 'caller',
    countSteps: 'caller',
    ofContact: 'caller',
  },
  journeyPosts: { finish: 'thread', trim: 'thread', open: 'caller', list: 'caller' },
  webhooks: {
    create: 'thread',
    delete: 'thread',
    enable: 'thread',
    disable: 'thread',
    restart: 'thread',
    report: 'thread',
    get: 'caller',
    list: 'caller',
  },
  deliveries: {
    fanOut: 'thread',
    enqueue: 'thread',
    retry: 'thread',
    finish: 'thread',
    cancelWaiting: 'thread',
    trim: 'thread',
    getMany: 'caller',
    list: 'caller',
    ofMessage: 'caller',
    events: 'caller',
  },
  settings: { set: 'thread', setOnce: 'thread', replace: 'thread', get: 'caller' },
  operatorLog: { append: 'thread', list: 'caller' },
  records: {
    add: 'thread',
    replace: 'thread',
    take: 'thread',
    removeOf: 'thread',
    trim: 'thread',
    get: 'caller',
    list: 'caller',
  },
} as const satisfies { [S in keyof DriverStores]: MethodsOf<DriverStores[S]> };

/** The same for the event log. `reader` and `close` run in the caller; its readers move their cursors in the thread. */
const LOG_METHODS = {
  publish: 'thread',
  park: 'thread',
  redrive: 'thread',
  trim: 'thread',
  reader: 'caller',
  partitions: 'caller',
  parked: 'caller',
  lag: 'caller',
  behindSince: 'caller',
  close: 'caller',
} as const satisfies MethodsOf<EventLog>;

const inThread = (methods: Readonly<Record<string, RunsIn>>): string[] =>
  Object.keys(methods).filter((method) => methods[method] === 'thread');

/** Names of the methods of a store, and of the log, that run in the store's thread. */
export const storeMethods = (store: keyof Stores): string[] => inThread(STORE_METHODS[store]);
export const LOG_THREAD_METHODS: readonly string[] = inThread(LOG_METHODS);

type ComposedOf<S extends keyof Stores> = {
  [
    M in keyof Stores[S] & keyof (typeof STORE_METHODS)[S] as (typeof STORE_METHODS)[S][M] extends 'composed'
      ? M
      : never
  ]: Stores[S][M];
};
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
const INNER = {
  acceptRows: 'thread',
  jobRow: 'thread',
  applyChange: 'thread',
  moveCursors: 'thread',
  startCursors: 'thread',
} as const satisfies MethodsOf<InnerMethods>;
export const INNER_METHODS: readonly string[] = inThread(INNER);

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
