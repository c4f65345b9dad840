import type { AudienceStore } from './audience-store';
import type { BulkContacts } from './bulk-contacts';
import type { CampaignStore } from './campaign-store';
import type { CoinLedger } from './coin-ledger';
import type { ContactStore } from './contact-store';
import type { ConversionStore } from './conversion-store';
import type { CredentialStore } from './credential-store';
import type { Deadlines } from './deadlines';
import type { DeliveryStore } from './delivery-store';
import type { DomainStore } from './domain-store';
import type { DueTasks } from './due-tasks';
import type { EngagementStore } from './engagement-store';
import type { JourneyStore } from './journey-store';
import type { LeaseStore } from './lease-store';
import type { MessageStore } from './message-store';
import type { OperatorLog } from './operator-log';
import type { SendQueue } from './send-queue';
import type { SettingsStore } from './settings-store';
import type { SignalStore } from './signal-store';
import type { SuppressionStore } from './suppression-store';
import type { WebhookStore } from './webhook-store';
import type { WorkspaceStore } from './workspace-store';

/** All store ports of one engine. Pass each part of the program only the ones it needs. */
export interface Stores {
  workspaces: WorkspaceStore;
  credentials: CredentialStore;
  domains: DomainStore;
  contacts: ContactStore;
  audiences: AudienceStore;
  bulkContacts: BulkContacts;
  suppressions: SuppressionStore;
  messages: MessageStore;
  queue: SendQueue;
  deadlines: Deadlines;
  dueTasks: DueTasks;
  coins: CoinLedger;
  leases: LeaseStore;
  signals: SignalStore;
  engagement: EngagementStore;
  conversions: ConversionStore;
  campaigns: CampaignStore;
  journeys: JourneyStore;
  webhooks: WebhookStore;
  deliveries: DeliveryStore;
  settings: SettingsStore;
  operatorLog: OperatorLog;
}
