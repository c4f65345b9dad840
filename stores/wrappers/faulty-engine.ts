import type { LedgerEntry } from '../../domain/ledger/coins';
import type { DeliveryResult } from '../ports/delivery-store';
import type { DueClaimRequest, TaskClaim } from '../ports/due-tasks';
import type { Engine } from '../ports/engine';
import type { Stores } from '../ports/index';
import type { Decide, MessageStore } from '../ports/message-store';
import { faultyLog } from './faulty-log';
import { faultyPort, type Labels } from './faulty-port';
import type { Faults } from './faults';

/**
 * An engine whose stores and log have the given faults. Operations are named like `messages.accept` or
 * `log.publish:mta.feedback`.
 */
export function faultyEngine(engine: Engine, faults: Faults): Engine {
  return {
    stores: faultyStores(engine.stores, faults),
    log: faultyLog(engine.log, faults),
    close: () => engine.close(),
  };
}

function faultyStores(stores: Stores, faults: Faults): Stores {
  const wrap = <K extends keyof Stores>(name: K, labels: Labels<Stores[K]> = {}): Stores[K] =>
    faultyPort(stores[name], name, faults, labels);
  return {
    workspaces: wrap('workspaces'),
    credentials: wrap('credentials'),
    domains: wrap('domains'),
    contacts: wrap('contacts'),
    audiences: wrap('audiences'),
    templates: wrap('templates'),
    optIns: wrap('optIns'),
    bulkContacts: wrap('bulkContacts'),
    suppressions: wrap('suppressions'),
    bounces: wrap('bounces'),
    messages: wrap('messages', { change: changeLabel(stores.messages) }),
    queue: wrap('queue'),
    deadlines: wrap('deadlines'),
    backlogs: wrap('backlogs'),
    dueTasks: wrap('dueTasks', { claim: ({ kind }: DueClaimRequest) => kind }),
    coins: wrap('coins', { post: (entry: LedgerEntry) => entry.kind }),
    leases: wrap('leases'),
    signals: wrap('signals'),
    engagement: wrap('engagement'),
    conversions: wrap('conversions'),
    campaigns: wrap('campaigns'),
    campaignRuns: wrap('campaignRuns'),
    journeys: wrap('journeys'),
    journeyRuns: wrap('journeyRuns'),
    journeyPosts: wrap('journeyPosts'),
    webhooks: wrap('webhooks'),
    deliveries: wrap('deliveries', { finish: (_claim: TaskClaim, { state }: DeliveryResult) => state }),
    settings: wrap('settings'),
    operatorLog: wrap('operatorLog'),
  };
}

/**
 * What the change will do: the status it sets, `fence`, `unknown`, `closed` for an attempt that ends late, or `noted`.
 */
const changeLabel =
  (messages: MessageStore) =>
  async (id: string, decide: Decide): Promise<string | null> => {
    const message = await messages.get(id);
    const change = message && decide(message);
    if (!change) return null;
    if (change.set.status) return change.set.status;
    if (change.set.fence) return 'fence';
    return change.set.unknown ? 'unknown' : change.attempt ? 'closed' : 'noted';
  };
