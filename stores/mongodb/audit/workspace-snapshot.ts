import type { WorkspaceSnapshot } from '../../ports/audit-source';
import type { LogView } from '../../../streams/log-view';
import { toAccount } from '../ledger/coin-ledger';
import { documents } from '../database/documents';
import { guard } from '../transactions/guard';
import { claimPages, keyPages, ledgerPages, penaltyPages } from './account-pages';
import { campaignPages } from './campaign-pages';
import { conversionSnapshot } from './conversion-pages';
import { enrolmentPages } from './enrolment-pages';
import { derivedFaults } from './derived-faults';
import { listPages } from './list-pages';
import { engagementPages } from './engagement-pages';
import { messagePages } from './message-pages';
import { pendingEntries, type Around } from './pending-entries';
import { webhookSnapshot } from './webhook-pages';
import type { Snapshot } from '../transactions/snapshot';

/** The parts of a workspace, read in one snapshot, with the state of the log around it. */
export const workspaceSnapshot = (
  snapshot: Snapshot,
  log: LogView,
  around: Around,
  workspaceId: number,
): WorkspaceSnapshot => {
  const { db, moment } = snapshot;
  return {
    coins: {
      account: async () =>
        toAccount(workspaceId, await guard(() => documents(db, 'accounts').findOne({ _id: workspaceId }, moment))),
      ledger: () => ledgerPages(snapshot, workspaceId),
      penalties: () => penaltyPages(snapshot, workspaceId),
      pendingEntries: () => pendingEntries(snapshot, log, around, workspaceId),
    },
    derived: {
      dayCounters: () => dayCounters(snapshot, workspaceId),
      engagement: () => engagementPages(snapshot, workspaceId),
      lists: () => listPages(snapshot, workspaceId),
      faults: () => derivedFaults(snapshot, workspaceId),
    },
    webhooks: webhookSnapshot(snapshot, workspaceId),
    conversions: conversionSnapshot(snapshot, log, around, workspaceId),
    exists: async () => (await guard(() => documents(db, 'workspaces').findOne({ _id: workspaceId }, moment))) !== null,
    messages: () => messagePages(snapshot, workspaceId),
    campaigns: () => campaignPages(snapshot, workspaceId),
    enrolments: () => enrolmentPages(snapshot, workspaceId),
    idempotencyKeys: () => keyPages(snapshot, workspaceId),
    claims: () => claimPages(snapshot, workspaceId),
    aliveUntil: () => readAliveUntil(snapshot),
  };
};

/** The latest end of a lease. A released lease keeps its end. */
export async function readAliveUntil({ db, moment }: Pick<Snapshot, 'db'> & Partial<Snapshot>): Promise<number | null> {
  const [latest] = await guard(() =>
    documents(db, 'leases')
      .find({}, { ...moment, projection: { expiresAt: 1 } })
      .sort({ expiresAt: -1 })
      .limit(1)
      .toArray(),
  );
  return latest?.expiresAt ?? null;
}

async function dayCounters({ db, moment }: Snapshot, workspaceId: number): Promise<Map<string, number>> {
  const counters = documents(db, 'sendDays').find({ workspaceId }, moment).sort({ day: 1 });
  return new Map((await guard(() => counters.toArray())).map(({ day, claims }) => [day, claims]));
}
