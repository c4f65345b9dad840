import { presentCampaign } from '../../../schemas/responses/present-campaign';
import { route } from '../../route';

/** GET /campaigns: all campaigns, newest first. */
export const listCampaigns = route({
  method: 'GET',
  path: '/campaigns',
  scope: 'send_email',
  emailModule: 'required',
  async handle({ stores }, { workspace }) {
    const campaigns = await stores.campaigns.list(workspace.id);
    return { status: 200, body: campaigns.map(presentCampaign) };
  },
});
