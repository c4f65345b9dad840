import { embeddedEventLog, type CursorWrites } from './log/event-log';
import { moveCursors, startCursors } from './log/cursors';
import type { TopicSignals } from './log/topic-signals';
import type { EventLog } from '../../streams/event-log';
import { GROUPS, type GroupTable } from '../../streams/topics';
import type { Stores } from '../ports';
import { recordStore, type RecordTable } from '../shared/record-store';
import { audienceStore } from './contacts/audience-store';
import { backlogStore } from './queue/backlog-store';
import { bounceStore } from './contacts/bounce-store';
import { bulkContacts } from './contacts/bulk-contacts';
import { campaignRuns } from './campaigns/campaign-runs';
import { campaignStore } from './campaigns/campaign-store';
import { imageStore } from './campaigns/image-store';
import { coinLedger } from './ledger/coin-ledger';
import type { Commits } from './database/commits';
import { contactStore } from './contacts/contact-store';
import { conversionStore } from './conversions/conversion-store';
import { credentialStore } from './settings/credential-store';
import type { Database } from './database/database';
import { deadlines } from './queue/deadlines';
import { recordTable } from './records/record-table';
import { domainStore } from './settings/domain-store';
import { dueTasks, taskWakes } from './queue/due-tasks';
import { engagementStore } from './engagement/engagement-store';
import { DataVersion } from './database/data-version';
import { journeyPosts } from './journeys/journey-posts';
import { journeyRuns } from './journeys/journey-runs';
import { journeyStore } from './journeys/journey-store';
import { leaseStore } from './queue/lease-store';
import { wakeupStore } from './queue/wakeup-store';
import { messageHours } from './messages/message-hours';
import { messageStore } from './messages/message-store';
import { searchMessages } from './messages/search-messages';
import { optIns } from './contacts/opt-ins';
import { operatorLog } from './settings/operator-log';
import { ReadCache } from './database/read-cache';
import { sendQueue } from './queue/send-queue';
import { setBackStore } from './queue/set-back';
import { settingsStore } from './settings/settings-store';
import { signalStore } from './engagement/signal-store';
import { suppressionStore } from './contacts/suppression-store';
import { deliveryStore } from './webhooks/delivery-store';
import { templateStore } from './templates/template-store';
import { webhookStore } from './webhooks/webhook-store';
import { workspaceStore } from './settings/workspace-store';

/** The stores as their methods run in a thread: records are declared by the caller. */
export type DriverStores = Omit<Stores, 'records'> & { records: RecordTable };

export const withRecords = (stores: DriverStores): Stores => ({ ...stores, records: recordStore(stores.records) });

/** The stores and the log on one database, with one path for writes. */
export interface Parts {
  stores: DriverStores;
  log: EventLog;
  /** Clears the cached rows of a store, after a write that bypassed the caches. */
  forget(store: keyof Stores): void;
}

/** Stores whose writes change coin accounts and no other cached rows. */
const ACCOUNT_STORES: ReadonlySet<keyof Stores> = new Set(['coins', 'queue']);

/**
 * Builds the embedded drivers. Reads go to `db`, writes through `commits`, and writes of the log's readers to
 * `cursors`.
 */
export function embeddedParts(
  db: Database,
  commits: Commits,
  signals: TopicSignals,
  now: () => number,
  { groups = GROUPS, cursors = cursorWrites(commits) }: { groups?: GroupTable; cursors?: CursorWrites } = {},
): Parts {
  const dataVersion = new DataVersion(db);
  const cache = new ReadCache(commits, dataVersion);
  const accounts = new ReadCache(commits, dataVersion);
  return {
    stores: {
      workspaces: workspaceStore(db, cache),
      credentials: credentialStore(db, cache, commits),
      domains: domainStore(db, cache),
      contacts: contactStore(db, commits, now),
      audiences: audienceStore(db, commits),
      optIns: optIns(db, commits),
      bulkContacts: bulkContacts(db, commits),
      suppressions: suppressionStore(db, commits),
      bounces: bounceStore(db, commits),
      messages: messageStore(db, commits),
      messageHours: messageHours(db),
      messageFinder: { find: (workspaceId, search) => searchMessages(db, workspaceId, search) },
      queue: sendQueue(db, commits, accounts),
      wakeups: wakeupStore(db, commits),
      deadlines: deadlines(db),
      backlogs: backlogStore(db),
      dueTasks: dueTasks(db, commits),
      taskWakes: taskWakes(db, commits),
      coins: coinLedger(db, commits, accounts),
      leases: leaseStore(db, commits),
      setBack: setBackStore(db, commits),
      signals: signalStore(db, commits),
      engagement: engagementStore(db),
      conversions: conversionStore(db, commits),
      campaigns: campaignStore(db, commits),
      campaignRuns: campaignRuns(db, commits),
      journeys: journeyStore(db, commits),
      journeyRuns: journeyRuns(db, commits),
      journeyPosts: journeyPosts(db, commits),
      templates: templateStore(db, commits),
      images: imageStore(db, commits),
      webhooks: webhookStore(db, commits),
      deliveries: deliveryStore(db, commits),
      settings: settingsStore(db, cache),
      operatorLog: operatorLog(db, commits),
      records: recordTable(db, commits),
    },
    log: embeddedEventLog({ db, commits, signals, now, cursors, groups }),
    forget: (store) => (ACCOUNT_STORES.has(store) ? accounts : cache).clear(),
  };
}

/** The writes of the log's readers, through `commits`. */
export const cursorWrites = (commits: Commits): CursorWrites => ({
  move: (group, positions) => commits.write(({ db }) => moveCursors(db, group, positions)),
  start: (group, topics) => commits.write(({ db }) => startCursors(db, group, topics)),
});
