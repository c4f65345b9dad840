import { refusalText, startCampaign } from '../../../operations/campaigns/start-campaign';
import type { StartRefusal } from '../../../domain/campaigns/campaign-start';
import { ApiError, type ErrorCode } from '../../errors';
import { found, pathId } from '../../path-id';
import { route } from '../../route';

const CODES: Record<StartRefusal['because'], ErrorCode> = {
  suspended: 'workspace_suspended',
  no_business_address: 'business_address_missing',
  domain_inactive: 'domain_inactive',
  no_content: 'campaign_content_missing',
  coins: 'campaign_coins',
  not_approved: 'campaign_not_approved',
  not_startable: 'campaign_not_draft',
};

/** POST /campaigns/{id}/send: starts a draft (docs/contract.md#send-a-campaign). */
export const sendCampaign = route({
  method: 'POST',
  path: '/campaigns/:id/send',
  scope: 'send_email',
  emailModule: 'required',
  async handle(deps, { workspace, params }) {
    const campaign = found(await deps.stores.campaigns.get(workspace.id, pathId(params)));
    const started = await startCampaign(deps, campaign);
    if (started.kind === 'started') return { status: 200, body: { id: campaign.id, status: started.status } };
    if (!('because' in started)) throw new ApiError('not_found');
    throw new ApiError(CODES[started.because], { text: refusalText(started) });
  },
});
