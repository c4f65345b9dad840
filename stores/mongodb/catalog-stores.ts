import type { LedgerEntry } from '../../domain/coins';
import type { Stores } from '../ports';
import type { PostOutcome } from '../ports/coin-ledger';
import type { Mongo } from './database/client';
import { audienceStore, groupedMembers } from './contacts/audience-store';
import { bulkContacts } from './contacts/bulk-contacts';
import { campaignStore } from './marketing/campaign-store';
import { coinLedger } from './ledger/coin-ledger';
import { contactStore } from './contacts/contact-store';
import { credentialStore } from './settings/credential-store';
import { domainStore } from './settings/domain-store';
import { dueTasks } from './queue/due-tasks';
import { engagementStore } from './engagement/engagement-store';
import { GroupedBy } from './transactions/grouped-by';
import type { IdBlock } from './database/ids';
import { leaseStore } from './queue/lease-store';
import { operatorLog } from './settings/operator-log';
import { postEntries } from './ledger/post-entries';
import { settingsStore } from './settings/settings-store';
import { suppressionStore } from './contacts/suppression-store';
import { deliveryStore, groupedEvents } from './webhooks/delivery-store';
import { webhookStore } from './webhooks/webhook-store';
import { workspaceStore } from './settings/workspace-store';

/** The most ledger entries in one transaction. */
const MAX_ENTRIES = 500;

export interface SimpleStores {
  stores: Omit<Stores, 'messages' | 'queue' | 'deadlines' | 'signals' | 'conversions' | 'campaignRuns' | 'journeys'>;
  /** Refuses new grouped writes, and waits for those in progress. */
  drain(): Promise<void>;
}

/** The stores that are not about messages. */
export function simpleStores(mongo: Mongo, contactIds: IdBlock): SimpleStores {
  const posts = new GroupedBy<number, LedgerEntry, PostOutcome>(
    (workspaceId, entries, how) => postEntries(mongo, workspaceId, entries, how),
    { maxItems: MAX_ENTRIES },
  );
  const members = groupedMembers(mongo, contactIds);
  const events = groupedEvents(mongo);
  return {
    stores: {
      workspaces: workspaceStore(mongo),
      credentials: credentialStore(mongo),
      domains: domainStore(mongo),
      contacts: contactStore(mongo, contactIds),
      audiences: audienceStore(mongo, members),
      bulkContacts: bulkContacts(mongo, contactIds),
      suppressions: suppressionStore(mongo),
      engagement: engagementStore(mongo),
      campaigns: campaignStore(mongo),
      webhooks: webhookStore(mongo),
      deliveries: deliveryStore(mongo, events),
      coins: coinLedger(mongo, posts),
      leases: leaseStore(mongo),
      dueTasks: dueTasks(mongo),
      settings: settingsStore(mongo),
      operatorLog: operatorLog(mongo),
    },
    drain: async () => {
      await Promise.all([posts.close(), members.close(), events.close()]);
    },
  };
}
