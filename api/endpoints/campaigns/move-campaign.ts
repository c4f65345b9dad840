import { ApiError, type ErrorCode } from '../../errors';
import { moveByHand } from '../../../operations/campaigns/change-campaign';
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
    async handle(deps, { workspace, params }) {
      const id = pathId(params);
      const outcome = await moveByHand(deps, workspace, id, kind);
      if (outcome.kind === 'moved') return { status: 200, body: { id, status: outcome.status } };
      const codes = { unknown: 'not_found', suspended: 'workspace_suspended', refused: REFUSALS[kind] } as const;
      throw new ApiError(codes[outcome.kind]);
    },
  });

export const pauseCampaign = moving('pause');
export const resumeCampaign = moving('resume');
export const cancelCampaign = moving('cancel');
