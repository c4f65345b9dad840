import type { LedgerEntry } from '../../domain/ledger/coins';
import type { Stores } from '../ports';
import type { PostOutcome } from '../ports/coin-ledger';
import type { Mongo } from './database/client';
import { audienceStore, groupedMembers } from './contacts/audience-store';
import { backlogStore } from './queue/backlog-store';
import { bounceStore } from './contacts/bounce-store';
import { bulkContacts } from './contacts/bulk-contacts';
import { campaignStore } from './campaigns/campaign-store';
import { coinLedger } from './ledger/coin-ledger';
import { contactStore } from './contacts/contact-store';
import { credentialStore } from './settings/credential-store';
import { domainStore } from './settings/domain-store';
import { dueTasks } from './queue/due-tasks';
import { engagementStore } from './engagement/engagement-store';
import { GroupedBy } from './transactions/grouped-by';
import { journeyPosts } from './journeys/journey-posts';
import type { IdBlock } from './database/ids';
import { leaseStore } from './queue/lease-store';
import { optIns } from './contacts/opt-ins';
import type { Outbox } from './log/outbox';
import { operatorLog } from './settings/operator-log';
import { postEntries } from './ledger/post-entries';
import { settingsStore } from './settings/settings-store';
import { suppressionStore } from './contacts/suppression-store';
import { deliveryStore, groupedEvents, groupedResults } from './webhooks/delivery-store';
import { templateStore } from './templates/template-store';
import { webhookStore } from './webhooks/webhook-store';
import { workspaceStore } from './settings/workspace-store';

/** The most ledger entries in one transaction. */
const MAX_ENTRIES = 500;

export interface SimpleStores {
  stores: Omit<
    Stores,
    'messages' | 'queue' | 'deadlines' | 'signals' | 'conversions' | 'campaignRuns' | 'journeys' | 'journeyRuns'
  >;
  /** Refuses new grouped writes, and waits for those in progress. */
  drain(): Promise<void>;
}

export interface SimpleStoresOptions {
  /** Ids of new contacts. */
  contactIds: IdBlock;
  now: () => number;
  outbox: Pick<Outbox, 'enqueue'>;
}

/** The stores that are not about messages. */
export function simpleStores(mongo: Mongo, { contactIds, now, outbox }: SimpleStoresOptions): SimpleStores {
  const posts = new GroupedBy<number, LedgerEntry, PostOutcome>(
    (workspaceId, entries, how) => postEntries(mongo, workspaceId, entries, how),
    { maxItems: MAX_ENTRIES },
  );
  const members = groupedMembers({ mongo, contactIds, outbox });
  const events = groupedEvents(mongo);
  const results = groupedResults(mongo);
  return {
    stores: {
      workspaces: workspaceStore(mongo),
      credentials: credentialStore(mongo),
      domains: domainStore(mongo),
      contacts: contactStore({ mongo, outbox, now }, contactIds),
      audiences: audienceStore(mongo, members),
      optIns: optIns(mongo, members),
      bulkContacts: bulkContacts({ mongo, contactIds, outbox }),
      suppressions: suppressionStore(mongo),
      bounces: bounceStore(mongo),
      backlogs: backlogStore(mongo),
      engagement: engagementStore(mongo),
      campaigns: campaignStore(mongo),
      templates: templateStore(mongo),
      webhooks: webhookStore(mongo),
      deliveries: deliveryStore(mongo, events, results),
      journeyPosts: journeyPosts(mongo),
      coins: coinLedger(mongo, posts),
      leases: leaseStore(mongo),
      dueTasks: dueTasks(mongo),
      settings: settingsStore(mongo),
      operatorLog: operatorLog(mongo),
    },
    drain: async () => {
      await Promise.all([posts.close(), members.close(), events.close(), results.close()]);
    },
  };
}
