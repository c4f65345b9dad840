import { presentShownCampaign } from '../../../schemas/responses/present-campaign';
import { found, pathId } from '../../path-id';
import { route } from '../../route';

/** GET /campaigns/{id}: the campaign with its counts, all of one moment. */
export const showCampaign = route({
  method: 'GET',
  path: '/campaigns/:id',
  scope: 'send_email',
  emailModule: 'required',
  async handle({ stores }, { workspace, params }) {
    const ref = { workspaceId: workspace.id, id: pathId(params) };
    return { status: 200, body: presentShownCampaign(found(await stores.campaignRuns.progress(ref))) };
  },
});
