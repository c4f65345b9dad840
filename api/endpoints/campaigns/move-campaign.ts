import { ApiError, type ErrorCode } from '../../errors';
import { pathId } from '../../path-id';
import { route, type Route } from '../../route';

const REFUSALS = {
  pause: 'campaign_not_live',
  resume: 'campaign_not_paused',
  cancel: 'campaign_not_started',
} as const satisfies Record<string, ErrorCode>;

/** POST /campaigns/{id}/pause, resume or cancel: 422 in another state (docs/contract.md#campaign-after-the-start). */
const moving = (kind: keyof typeof REFUSALS): Route =>
  route({
    method: 'POST',
    path: `/campaigns/:id/${kind}`,
    scope: 'send_email',
    emailModule: 'required',
    async handle({ stores, clock }, { workspace, params }) {
      const id = pathId(params);
      const move = kind === 'pause' ? { kind, reason: null } : { kind };
      const outcome = await stores.campaignRuns.move({ workspaceId: workspace.id, id }, move, clock.now());
      if (outcome.kind === 'unknown') throw new ApiError('not_found');
      if (outcome.kind === 'refused') throw new ApiError(REFUSALS[kind]);
      return { status: 200, body: { id, status: outcome.status } };
    },
  });

export const pauseCampaign = moving('pause');
export const resumeCampaign = moving('resume');
export const cancelCampaign = moving('cancel');
