import { judgeCampaign } from '../../domain/campaigns/auto-pause';
import { texts } from '../../domain/texts';
import { HOUR, MINUTE, SECOND, type Clock } from '../../lib/clock';
import type { Logger } from '../../lib/logger';
import type { Stores } from '../../stores/ports';
import type { CampaignProgress, CampaignRef } from '../../stores/ports/campaign-runs';
import { done, type EachTask } from '../due-work/due-work';

export interface DriveDeps {
  stores: Pick<Stores, 'campaignRuns'>;
  clock: Clock;
  logger: Pick<Logger, 'info' | 'warn'>;
  /** The share of hard bounces and complaints that pauses a campaign, percent; 0: none. */
  brakePercent: number;
}

/** Members listed in one commit. */
const EXPAND = 1_000;
/** Messages made, taken off hold or ended in one commit. */
const BATCH = 500;
/** A campaign's messages in the queue, at most. The rest waits in its manifest. */
const MAX_QUEUED = 4_000;
/** The most steps of one kind at a time; longer work continues with the next attempt. */
const STEPS = 4;
/**
 * Between two looks at a campaign in which nothing happens, ms: the first, and the longest while rows wait for room,
 * messages for their turn, or only for what becomes of them. An outcome brings the next look forward (see
 * WakeCampaigns).
 */
const WAIT = SECOND;
const LONGEST = { 'wait to feed': MINUTE, 'wait for turns': 10 * MINUTE, wait: HOUR } as const;

/**
 * Drives one campaign from its start to its last recipient (docs/architecture.md#campaigns). Each attempt goes on where
 * the stored cursors are, so a process may die anywhere in it. A campaign is looked at until its last message is final:
 * every second while something happens, and ever more seldom while nothing does. Time travel need not stop for these
 * looks, only where a campaign waits for room in the queue.
 */
export function driveWork(deps: DriveDeps): EachTask<'campaigns'> {
  /** By campaign, until when it waits for room, ms. */
  const waiting = new Map<string, number>();
  /** By campaign, what the last look of this process saw. */
  const seen = new Map<string, string>();
  return {
    each: async ({ id, workspaceId, attempt }) => {
      const { result, sight } = await driveOnce(deps, { workspaceId, id: Number(id) });
      const isStill = !seen.has(id) || seen.get(id) === sight;
      if (result === 'done') seen.delete(id);
      else seen.set(id, sight);
      waiting.delete(id);
      if (result === 'done') return done;
      const now = deps.clock.now();
      if (result === 'again' || !isStill) {
        const dueAt = result === 'again' ? now : now + WAIT;
        if (result === 'wait to feed') waiting.set(id, dueAt);
        return { kind: 'again', next: { dueAt, ...(attempt > 1 && { attempt: 0 }) } };
      }
      const dueAt = now + Math.min(LONGEST[result], WAIT * 2 ** (attempt - 1));
      if (result === 'wait to feed') waiting.set(id, dueAt);
      return { kind: 'again', next: { dueAt } };
    },
    travelStop: () => (waiting.size === 0 ? null : Math.min(...waiting.values())),
  };
}

/** `wait to feed`: rows wait for room in the queue. `wait`: only the outcome of messages is missing. */
type DriveResult = 'again' | 'wait to feed' | 'wait for turns' | 'wait' | 'done';

/** Drives it once. `sight`: what it looked like, the same as long as nothing happens in it. */
async function driveOnce(deps: DriveDeps, ref: CampaignRef): Promise<{ result: DriveResult; sight: string }> {
  const progress = await deps.stores.campaignRuns.progress(ref);
  const sight = JSON.stringify([progress?.queued, progress?.waitingRows, progress?.counts, progress?.brake]);
  switch (progress?.campaign.status) {
    case 'live':
      return { result: await driveLive(deps, ref, progress), sight };
    case 'completed':
      return { result: await finishCompleted(deps, ref, progress), sight };
    default:
      // Resuming schedules the work again.
      return { result: 'done', sight };
  }
}

async function driveLive(deps: DriveDeps, ref: CampaignRef, progress: CampaignProgress): Promise<DriveResult> {
  const { campaignRuns } = deps.stores;
  const now = deps.clock.now();
  if (await brakes(deps, ref, progress)) return 'done';
  const released = await repeat(async () => (await campaignRuns.settle(ref, BATCH, now)).settled);
  const listed = progress.expanded ? 0 : await repeat(() => campaignRuns.expand(ref, EXPAND));
  const fed = await feed(deps, ref, progress.queued);
  if (released + listed + fed > 0 || !progress.expanded) return 'again';
  const { pending, inHand } = progress.counts;
  if (progress.waitingRows > 0) return 'wait to feed';
  if (pending > 0) return 'wait for turns';
  if (inHand > 0) return 'wait';
  await campaignRuns.move(ref, { kind: 'complete' }, now);
  deps.logger.info({ campaign: ref.id, workspaceId: ref.workspaceId }, 'a campaign was completed');
  return 'done';
}

/** Fills the queue up. Returns how many rows were fed. */
async function feed({ stores, clock }: DriveDeps, ref: CampaignRef, queued: number): Promise<number> {
  let fed = 0;
  while (queued + fed < MAX_QUEUED) {
    const limit = Math.min(BATCH, MAX_QUEUED - queued - fed);
    const { rows } = await stores.campaignRuns.feed(ref, limit, clock.now());
    if (rows === 0) break;
    fed += rows;
  }
  return fed;
}

/** A cancelled one still has rows and messages to end, one that nobody qualified for its manifest to make. */
async function finishCompleted(
  { stores: { campaignRuns }, clock }: DriveDeps,
  ref: CampaignRef,
  progress: CampaignProgress,
): Promise<DriveResult> {
  if (!progress.expanded) {
    await repeat(() => campaignRuns.expand(ref, EXPAND));
    return 'again';
  }
  if ((await repeat(async () => (await campaignRuns.settle(ref, BATCH, clock.now())).settled)) > 0) return 'again';
  // A hand-off that is refused for now comes back to the queue, and is ended then.
  return progress.counts.inHand > 0 ? 'wait' : 'done';
}

/** Repeats a step until nothing is left or an attempt is full. Returns the sum. */
async function repeat(step: () => Promise<number>): Promise<number> {
  let sum = 0;
  for (let n = 0; n < STEPS; n += 1) {
    const done = await step();
    if (done === 0) break;
    sum += done;
  }
  return sum;
}

/** Pauses the campaign when too many of its messages bounced or complained. */
async function brakes(deps: DriveDeps, ref: CampaignRef, progress: CampaignProgress): Promise<boolean> {
  const { campaignRuns } = deps.stores;
  const { marks, stop } = judgeCampaign(progress.marks, progress.brake, deps.brakePercent);
  if (marks !== progress.marks) await campaignRuns.mark(ref, marks);
  if (!stop) return false;
  const reason = texts.campaignBraked(stop.bad, stop.of);
  const { kind } = await campaignRuns.move(ref, { kind: 'pause', reason }, deps.clock.now());
  deps.logger.warn({ campaign: ref.id, workspaceId: ref.workspaceId, ...stop }, 'a campaign was paused automatically');
  return kind === 'moved';
}
