import type { LedgerEntry } from '../../domain/coins';
import type { Stores } from '../ports';
import type { PostOutcome } from '../ports/coin-ledger';
import type { Mongo } from './client';
import { audienceStore, groupedMembers } from './audience-store';
import { campaignStore } from './campaign-store';
import { coinLedger } from './coin-ledger';
import { contactStore } from './contact-store';
import { credentialStore } from './credential-store';
import { domainStore } from './domain-store';
import { engagementStore } from './engagement-store';
import { GroupedBy } from './grouped-by';
import type { IdBlock } from './ids';
import { leaseStore } from './lease-store';
import { operatorLog } from './operator-log';
import { postEntries } from './post-entries';
import { settingsStore } from './settings-store';
import { suppressionStore } from './suppression-store';
import { webhookStore } from './webhook-store';
import { workspaceStore } from './workspace-store';

/** Ledger entries of one transaction at most. */
const MAX_ENTRIES = 500;

export interface SimpleStores {
  stores: Omit<Stores, 'messages' | 'queue' | 'signals' | 'conversions' | 'journeys'>;
  /** Refuses new writes of those that are grouped, and waits for the ones under way. */
  drain(): Promise<void>;
}

/** The stores that have nothing to do with messages. */
export function simpleStores(mongo: Mongo, contactIds: IdBlock): SimpleStores {
  const posts = new GroupedBy<number, LedgerEntry, PostOutcome>(
    (workspaceId, entries, how) => postEntries(mongo, workspaceId, entries, how),
    { maxItems: MAX_ENTRIES },
  );
  const members = groupedMembers(mongo, contactIds);
  return {
    stores: {
      workspaces: workspaceStore(mongo),
      credentials: credentialStore(mongo),
      domains: domainStore(mongo),
      contacts: contactStore(mongo, contactIds),
      audiences: audienceStore(mongo, members),
      suppressions: suppressionStore(mongo),
      engagement: engagementStore(mongo),
      campaigns: campaignStore(mongo),
      webhooks: webhookStore(mongo),
      coins: coinLedger(mongo, posts),
      leases: leaseStore(mongo),
      settings: settingsStore(mongo),
      operatorLog: operatorLog(mongo),
    },
    drain: async () => {
      await Promise.all([posts.close(), members.close()]);
    },
  };
}
