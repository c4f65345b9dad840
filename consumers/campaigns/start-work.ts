import { refusalText, startCampaign, type StartDeps } from '../../operations/campaigns/start-campaign';
import type { Logger } from '../../lib/logger';
import { done, type EachTask } from '../due-work/due-work';

export interface StartWorkDeps extends Omit<StartDeps, 'note'> {
  logger: Pick<Logger, 'info' | 'warn'>;
}

/**
 * Starts scheduled campaigns at their time (docs/contract.md#scheduled-campaigns). One that is refused becomes a draft
 * again and keeps the reason.
 */
export function startWork(deps: StartWorkDeps): EachTask<'campaign-starts'> {
  return {
    each: async ({ id, workspaceId }) => {
      const ref = { workspaceId, id: Number(id) };
      const reason = await start(deps, ref);
      if (reason === null) return done;
      await deps.stores.campaignRuns.move(ref, { kind: 'refuse', reason }, deps.clock.now());
      deps.logger.warn({ campaign: ref.id, workspaceId, reason }, 'a scheduled campaign was refused');
      return done;
    },
  };
}

/** Null when it was started, or is no longer there to be started; otherwise why not. */
async function start(deps: StartWorkDeps, ref: { workspaceId: number; id: number }): Promise<string | null> {
  const campaign = await deps.stores.campaigns.get(ref.workspaceId, ref.id);
  const started = campaign && (await startCampaign(deps, campaign, 'scheduled'));
  if (started?.kind !== 'refused' || !('reason' in started)) return null;
  return started.reason === 'not_startable' ? null : refusalText(started);
}
