import { listStates } from '../../../operations/destinations/destination-states';
import type { AlarmKind } from '../../../domain/alarms/alarm';
import { FEWEST, judgeRates, ratesTime } from '../../../domain/alarms/rates';
import { isStopped, partsOfState } from '../../../domain/destinations/destination-state';
import { MINUTE } from '../../../lib/clock';
import type { Stores } from '../../../stores/ports';
import type { WorkspaceCount } from '../../../stores/ports/bounce-store';
import { judgeInTime, type AlarmSource, type Evaluation, type Findings } from './source';

export type SourceStores = Pick<Stores, 'workspaces' | 'messageHours' | 'bounces' | 'records'>;

/** Workspaces that are looked at together: many take long one after the other, and nobody waits for it. */
const AT_ONCE = 8;

/** What the stores tell by themselves: complaints, hard bounces, and destinations that are stopped. */
export const storeSources = (stores: SourceStores): AlarmSource[] => [
  {
    name: 'rates',
    kinds: ['complaints', 'hard_bounces'],
    every: 5 * MINUTE,
    evaluate: (evaluation) => evaluateRates(stores, evaluation),
  },
  {
    name: 'destinations',
    kinds: ['destination_stopped'],
    every: MINUTE,
    evaluate: async ({ now }) => ({
      found: (await listStates(stores.records, now))
        .filter(({ body }) => isStopped(body, now))
        .map(({ id, body: { stoppedUntil, why } }) => {
          const { destination, workspaceId } = partsOfState(id);
          const whose = workspaceId === null ? 'Email' : `Email of workspace ${workspaceId}`;
          const until = new Date(stoppedUntil ?? now).toISOString();
          const text = `${whose} to ${destination} is stopped until ${until}: ${why?.reply ?? 'no reply is known'}`;
          return { kind: 'destination_stopped', subject: id, workspaceId, text };
        }),
    }),
  },
];

/** Only workspaces with enough complaints or hard bounces are looked at, those with the most first. */
async function evaluateRates(
  { workspaces, messageHours, bounces }: SourceStores,
  { now, late }: Evaluation,
): Promise<Findings> {
  const { from, to, hardSince } = ratesTime(now);
  const [hard, complained] = await Promise.all([bounces.hardSince(hardSince), bounces.complainedSince(from)]);
  const hardOf = new Map(hard.map(({ workspaceId, count }) => [workspaceId, count]));
  const suspects = [...above('hard_bounces', hard, FEWEST.hard), ...above('complaints', complained, FEWEST.complained)];
  return judgeInTime(suspects, { atOnce: AT_ONCE, late }, async ({ kind, workspaceId: id }) => {
    const workspace = await workspaces.get(id);
    if (!workspace) return null;
    const troubles = judgeRates(workspace, await messageHours.between(id, from, to), hardOf.get(id) ?? 0, now);
    return troubles.find((of) => of.kind === kind)?.text ?? null;
  });
}

const above = (kind: AlarmKind, counts: readonly WorkspaceCount[], fewest: number) =>
  counts
    .filter(({ count }) => count >= fewest)
    .sort((a, b) => b.count - a.count)
    .map(({ workspaceId }) => ({ kind, subject: String(workspaceId), workspaceId }));
