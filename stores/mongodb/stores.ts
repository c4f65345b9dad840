import type { LedgerEntry } from '../../domain/ledger/coins';
import type { Clock } from '../../lib/clock';
import type { Stores } from '../ports';
import type { PostOutcome } from '../ports/coin-ledger';
import { campaignRuns } from './campaigns/campaign-runs';
import { campaignStore } from './campaigns/campaign-store';
import { imageStore } from './campaigns/image-store';
import { audienceStore, groupedMembers } from './contacts/audience-store';
import { bounceStore } from './contacts/bounce-store';
import { bulkContacts } from './contacts/bulk-contacts';
import { contactStore } from './contacts/contact-store';
import { optIns } from './contacts/opt-ins';
import { suppressionStore } from './contacts/suppression-store';
import { conversionStore } from './conversions/conversion-store';
import type { Mongo } from './database/client';
import { IdBlock } from './database/ids';
import { recordStore } from '../shared/record-store';
import { recordTable } from './records/record-table';
import { engagementStore } from './engagement/engagement-store';
import { groupedSignals, signalStore } from './engagement/signal-store';
import { journeyPosts } from './journeys/journey-posts';
import { groupedEnrollments, journeyRuns } from './journeys/journey-runs';
import { journeyStore } from './journeys/journey-store';
import { coinLedger } from './ledger/coin-ledger';
import { postEntries } from './ledger/post-entries';
import { Outbox, type OutboxOptions, type Publish } from './log/outbox';
import { Sweeper } from './log/sweeper';
import { groupedChanges } from './messages/change-message';
import { messageHours } from './messages/message-hours';
import { groupedAccepts, messageStore } from './messages/message-store';
import { messageFinder } from './messages/search-messages';
import { backlogStore } from './queue/backlog-store';
import { deadlines } from './queue/deadlines';
import { dueTasks, taskWakes } from './queue/due-tasks';
import { leaseStore } from './queue/lease-store';
import { wakeupStore } from './queue/wakeup-store';
import { setBackStore } from './queue/set-back';
import { claimsInTurn, sendQueue } from './queue/send-queue';
import { credentialStore } from './settings/credential-store';
import { domainStore } from './settings/domain-store';
import { operatorLog } from './settings/operator-log';
import { settingsStore } from './settings/settings-store';
import { workspaceStore } from './settings/workspace-store';
import { templateStore } from './templates/template-store';
import { AbandonedTransactions } from './transactions/abandoned';
import { GroupedBy } from './transactions/grouped-by';
import { deliveryStore, groupedEvents, groupedResults } from './webhooks/delivery-store';
import { webhookStore } from './webhooks/webhook-store';

/** The most ledger entries in one transaction. */
const MAX_ENTRIES = 500;

export interface MongoStoresOptions extends OutboxOptions {
  clock: Clock;
  /** EventLog.publish: resolves once the records are durable. */
  publish: Publish;
  /** Called when a sweep fails; the next one retries. */
  onSweepError?: (error: unknown) => void;
  /** Real time between two sweeps, ms. */
  sweepEvery?: number;
}

/** Every store on MongoDB. */
export interface MongoStores {
  stores: Stores;
  /**
   * Publishes what was committed but did not reach the log, finishes deletions, and ends transactions of killed
   * processes. One process that runs it serves all.
   */
  sweeper: Pick<Sweeper, 'start' | 'stop' | 'takeTurns'>;
  /**
   * Stops the sweeper, refuses new writes, finishes those in progress and publishes their records. The client stays
   * open.
   */
  close(): Promise<void>;
}

/** What the stores share: the outbox of their records, the ids of new contacts, and writes that wait for each other. */
function sharedParts(mongo: Mongo, { clock, publish, ...options }: MongoStoresOptions) {
  const now = (): number => clock.now();
  const outbox = new Outbox(mongo, publish, options);
  const contactIds = new IdBlock(mongo, 'contacts');
  const changes = groupedChanges(mongo);
  const parts = { mongo, outbox, now, contactIds, changes };
  const entries = new GroupedBy<number, LedgerEntry, PostOutcome>(
    (workspaceId, items, how) => postEntries(mongo, workspaceId, items, how),
    { maxItems: MAX_ENTRIES },
  );
  const grouped = {
    changes,
    entries,
    accepts: groupedAccepts(parts),
    claims: claimsInTurn(parts),
    hits: groupedSignals(mongo, now),
    enrollments: groupedEnrollments(parts),
    members: groupedMembers(parts),
    events: groupedEvents(mongo),
    results: groupedResults(mongo),
  };
  return { ...parts, grouped };
}

type SharedParts = ReturnType<typeof sharedParts>;

const storesOf = (parts: SharedParts): Stores => {
  const { mongo, outbox, now, contactIds, grouped } = parts;
  return {
    workspaces: workspaceStore(mongo),
    credentials: credentialStore(mongo),
    domains: domainStore(mongo),
    contacts: contactStore(parts, contactIds),
    audiences: audienceStore(mongo, grouped.members),
    optIns: optIns(mongo, grouped.members),
    bulkContacts: bulkContacts(parts),
    suppressions: suppressionStore(mongo),
    bounces: bounceStore(mongo),
    messages: messageStore(parts, grouped.accepts),
    messageHours: messageHours(mongo, now),
    messageFinder: messageFinder(mongo),
    queue: sendQueue(mongo, grouped.claims),
    wakeups: wakeupStore(mongo),
    deadlines: deadlines(mongo),
    backlogs: backlogStore(mongo),
    dueTasks: dueTasks(mongo),
    taskWakes: taskWakes(mongo),
    coins: coinLedger(mongo, grouped.entries),
    leases: leaseStore(mongo),
    setBack: setBackStore(mongo),
    signals: signalStore(mongo, outbox, grouped.hits),
    engagement: engagementStore(mongo),
    conversions: conversionStore(mongo, outbox, now),
    campaigns: campaignStore(mongo),
    campaignRuns: campaignRuns(parts),
    journeys: journeyStore(mongo),
    journeyRuns: journeyRuns(mongo, grouped.enrollments),
    journeyPosts: journeyPosts(mongo),
    templates: templateStore(mongo),
    images: imageStore(mongo),
    webhooks: webhookStore(mongo),
    deliveries: deliveryStore(mongo, grouped.events, grouped.results),
    settings: settingsStore(mongo),
    operatorLog: operatorLog(mongo),
    records: recordStore(recordTable(mongo)),
  };
};

/** Builds the stores on a prepared database (see prepareCollections). */
export function mongoStores(mongo: Mongo, options: MongoStoresOptions): MongoStores {
  const { onSweepError, sweepEvery } = options;
  const parts = sharedParts(mongo, options);
  const sweeper = new Sweeper({
    mongo,
    outbox: parts.outbox,
    now: parts.now,
    ...(onSweepError ? { onError: onSweepError } : {}),
    ...(sweepEvery === undefined ? {} : { every: sweepEvery }),
  });
  const abandoned = new AbandonedTransactions(mongo, (error) => onSweepError?.(error));
  return {
    stores: storesOf(parts),
    sweeper: {
      start: () => {
        sweeper.start();
        abandoned.start();
      },
      stop: async () => {
        await Promise.all([sweeper.stop(), abandoned.stop()]);
      },
      takeTurns: (turn) => sweeper.takeTurns(turn),
    },
    close: async () => {
      await abandoned.stop();
      await Promise.all(Object.values(parts.grouped).map((each) => each.close()));
      await sweeper.stop();
      await parts.outbox.close();
    },
  };
}
