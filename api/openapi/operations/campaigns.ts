import { texts } from '../../../domain/texts';
import { campaignsAnswer, campaignSentAnswer } from '../../../schemas/responses/campaign';
import { integerId, type Operation } from '../operation';

export const campaignOperations: readonly Operation[] = [
  {
    method: 'GET',
    path: '/campaigns',
    id: 'listCampaigns',
    tag: 'Campaigns',
    summary: 'List campaigns',
    description: 'All campaigns, newest first, on one page.',
    answers: [{ status: 200, description: 'The campaigns.', schema: campaignsAnswer }],
  },
  {
    method: 'POST',
    path: '/campaigns/:id/send',
    id: 'sendCampaign',
    tag: 'Campaigns',
    summary: 'Send a campaign',
    description:
      'Sends a prepared draft, at the send rate of the account, to the members of its audience who are ' +
      'subscribed, not suppressed and, with double opt-in, confirmed. The balance must cover all of them at the start. If several errors ' +
      'apply, the first in the order below is returned.',
    parameters: { id: integerId('The campaign', 31) },
    answers: [
      {
        status: 200,
        description: 'Being sent, or completed because no recipient qualifies.',
        schema: campaignSentAnswer,
        examples: { live: { id: 31, status: 'live' }, completed: { id: 31, status: 'completed' } },
      },
    ],
    refusals: [
      { code: 'business_address_missing' },
      { code: 'domain_inactive' },
      { code: 'campaign_content_missing' },
      { code: 'campaign_coins', text: texts.campaignCoins(240, 100) },
      { code: 'campaign_not_draft' },
    ],
  },
];
