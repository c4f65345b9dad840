import { embeddedEventLog, moveCursors, type MoveCursors } from '../../streams/drivers/embedded/event-log';
import type { TopicSignals } from '../../streams/drivers/embedded/topic-signals';
import type { EventLog } from '../../streams/event-log';
import type { Stores } from '../ports';
import { audienceStore } from './audience-store';
import { campaignStore } from './campaign-store';
import { coinLedger } from './coin-ledger';
import type { Commits } from './commits';
import { contactStore } from './contact-store';
import { conversionStore } from './conversion-store';
import { credentialStore } from './credential-store';
import type { Database } from './database';
import { domainStore } from './domain-store';
import { engagementStore } from './engagement-store';
import { Freshness } from './freshness';
import { journeyStore } from './journey-store';
import { leaseStore } from './lease-store';
import { messageStore } from './message-store';
import { operatorLog } from './operator-log';
import { RareCache } from './rare-cache';
import { sendQueue } from './send-queue';
import { settingsStore } from './settings-store';
import { signalStore } from './signal-store';
import { suppressionStore } from './suppression-store';
import { webhookStore } from './webhook-store';
import { workspaceStore } from './workspace-store';

/** Stores and log on one database and one way to write to it. */
export interface Parts {
  stores: Stores;
  log: EventLog;
  /** Forgets what is remembered, after writes that went past the caches. */
  forget(): void;
}

/** Builds the embedded drivers; reads go to `db`, writes through `commits`, those of the log's readers to `move`. */
export function embeddedParts(
  db: Database,
  commits: Commits,
  signals: TopicSignals,
  now: () => number,
  move: MoveCursors = (group, positions) => commits.write((tx) => moveCursors(tx.db, group, positions)),
): Parts {
  const freshness = new Freshness(db);
  const rare = new RareCache(commits, freshness);
  const accounts = new RareCache(commits, freshness);
  return {
    stores: {
      workspaces: workspaceStore(db, rare),
      credentials: credentialStore(db, rare),
      domains: domainStore(db, rare),
      contacts: contactStore(db, commits),
      audiences: audienceStore(db, commits),
      suppressions: suppressionStore(db, commits),
      messages: messageStore(db, commits),
      queue: sendQueue(db, commits, accounts),
      coins: coinLedger(db, commits, accounts),
      leases: leaseStore(db, commits),
      signals: signalStore(db, commits),
      engagement: engagementStore(db),
      conversions: conversionStore(db, commits),
      campaigns: campaignStore(db, commits),
      journeys: journeyStore(db, commits),
      webhooks: webhookStore(db, commits),
      settings: settingsStore(db, rare),
      operatorLog: operatorLog(db, commits),
    },
    log: embeddedEventLog({ db, commits, signals, now, move }),
    forget: () => {
      rare.clear();
      accounts.clear();
    },
  };
}
