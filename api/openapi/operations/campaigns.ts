import { texts } from '../../../domain/texts';
import {
  campaignMovedAnswer,
  campaignsAnswer,
  campaignSentAnswer,
  shownCampaignAnswer,
} from '../../../schemas/responses/campaign';
import type { ErrorCode } from '../../errors';
import type { ListedOperation } from '../listed-operation';
import { integerId } from '../operation';

export const campaignOperations: readonly ListedOperation[] = [
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
    method: 'GET',
    path: '/campaigns/:id',
    id: 'showCampaign',
    tag: 'Campaigns',
    summary: 'Show a campaign',
    description: 'The campaign without its content, the outcome of its recipients, and how they answered.',
    parameters: { id: integerId('The campaign', 31) },
    answers: [{ status: 200, description: 'The campaign and its counts.', schema: shownCampaignAnswer }],
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
      { code: 'campaign_not_approved' },
      { code: 'campaign_not_draft' },
    ],
  },
  moving('pause', 'campaign_not_live', 'paused', 'Nothing more is handed to the sending server until it is resumed.'),
  moving('resume', 'campaign_not_paused', 'live', 'It goes on where it was.'),
  moving(
    'cancel',
    'campaign_not_started',
    'completed',
    'What still waits fails with "Campaign dibatalkan." and costs no coin. A cancelled campaign cannot be resumed.',
  ),
];

function moving(
  verb: 'pause' | 'resume' | 'cancel',
  refusal: ErrorCode,
  status: string,
  description: string,
): ListedOperation {
  return {
    method: 'POST',
    path: `/campaigns/:id/${verb}`,
    id: `${verb}Campaign`,
    tag: 'Campaigns',
    summary: `${verb.slice(0, 1).toUpperCase()}${verb.slice(1)} a campaign`,
    description,
    parameters: { id: integerId('The campaign', 31) },
    answers: [
      {
        status: 200,
        description: `It is now \`${status}\`.`,
        schema: campaignMovedAnswer,
        examples: { [status]: { id: 31, status } },
      },
    ],
    refusals: [{ code: refusal }],
  };
}
