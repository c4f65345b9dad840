import { refusalText, startCampaign, type StartDeps } from '../../operations/campaigns/start-campaign';
import { texts } from '../../domain/texts';
import type { Logger } from '../../lib/logger';
import type { Stores } from '../../stores/ports';
import { done, type EachTask } from '../due-work/due-work';

export interface StartWorkDeps extends StartDeps {
  stores: StartDeps['stores'] & Pick<Stores, 'workspaces'>;
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
  const workspace = await deps.stores.workspaces.get(ref.workspaceId);
  if (workspace?.suspended) return texts.workspaceSuspended;
  const started = await startCampaign(deps, ref, 'scheduled');
  if (started?.kind !== 'refused') return null;
  return started.because === 'not_startable' ? null : refusalText(started);
}
