import type { StartRefusal } from '../../domain/campaigns/campaign-start';
import { texts } from '../../domain/texts';
import { moveByHand } from '../../operations/campaigns/change-campaign';
import { refusalText, startCampaign } from '../../operations/campaigns/start-campaign';
import {
  campaignAnswer,
  campaignMovedAnswer,
  campaignSentAnswer,
  presentCampaign,
  presentShownCampaign,
  shownCampaignAnswer,
} from '../../schemas/responses/campaign';
import { list } from '../../schemas/responses/closed';
import { ApiError, type ErrorCode } from '../errors';
import { integerId } from '../openapi/operation';
import { found, pathId } from '../path-id';
import { resource, type Route } from '../route';

const route = resource({ tag: 'Campaigns', scope: 'send_email' });
const id = integerId('The campaign', 31);

const CODES: Record<StartRefusal['reason'], ErrorCode> = {
  suspended: 'workspace_suspended',
  no_business_address: 'business_address_missing',
  domain_inactive: 'domain_inactive',
  no_content: 'campaign_content_missing',
  coins: 'campaign_coins',
  not_approved: 'campaign_not_approved',
  not_startable: 'campaign_not_draft',
};

/** `refused`: the code of another state (docs/contract.md#campaign-after-the-start). */
const moving = (
  verb: 'pause' | 'resume' | 'cancel',
  { refused, status, description }: { refused: ErrorCode; status: string; description: string },
): Route =>
  route(`POST /campaigns/:id/${verb}`, {
    id: `${verb}Campaign`,
    summary: `${verb.slice(0, 1).toUpperCase()}${verb.slice(1)} a campaign`,
    description,
    parameters: { id },
    answers: [
      {
        status: 200,
        description: `It is now \`${status}\`.`,
        schema: campaignMovedAnswer,
        examples: { [status]: { id: 31, status } },
      },
    ],
    refusals: [{ code: refused }],
    async handle(deps, { workspace, params }) {
      const campaignId = pathId(params);
      const outcome = await moveByHand(deps, workspace, campaignId, verb);
      if (outcome.kind === 'moved') return { id: campaignId, status: outcome.status };
      throw new ApiError(
        outcome.kind === 'refused' ? refused : outcome.kind === 'unknown' ? 'not_found' : CODES.suspended,
      );
    },
  });

/** Mail to the members of an audience (docs/contract.md#list-of-campaigns). */
export const campaigns = [
  route('GET /campaigns', {
    id: 'listCampaigns',
    summary: 'List campaigns',
    description: 'All campaigns, newest first, on one page.',
    answers: [{ status: 200, description: 'The campaigns.', schema: list(campaignAnswer) }],
    handle: async ({ stores }, { workspace }) => (await stores.campaigns.list(workspace.id)).map(presentCampaign),
  }),

  route('GET /campaigns/:id', {
    id: 'showCampaign',
    summary: 'Show a campaign',
    description:
      'The campaign without its content, the status of its recipients, and their opens, clicks and complaints.',
    parameters: { id },
    answers: [{ status: 200, description: 'The campaign and its counts.', schema: shownCampaignAnswer }],
    handle: async ({ stores }, { workspace, params }) =>
      presentShownCampaign(
        found(await stores.campaignRuns.progress({ workspaceId: workspace.id, id: pathId(params) })),
      ),
  }),

  route('POST /campaigns/:id/send', {
    id: 'sendCampaign',
    summary: 'Send a campaign',
    description:
      'Sends a draft, at the send rate of the account, to the members of its audience who are ' +
      'subscribed, not suppressed and, with double opt-in, confirmed. The balance must cover all of them at the start. If several errors ' +
      'apply, the first in the order below is returned.',
    parameters: { id },
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
    async handle(deps, { workspace, params }) {
      const campaign = found(await deps.stores.campaigns.get(workspace.id, pathId(params)));
      const started = await startCampaign(deps, campaign);
      if (started.kind === 'started') return { id: campaign.id, status: started.status };
      if (!('reason' in started)) throw new ApiError('not_found');
      throw new ApiError(CODES[started.reason], { text: refusalText(started) });
    },
  }),

  moving('pause', {
    refused: 'campaign_not_live',
    status: 'paused',
    description: 'No more emails are sent until it is resumed.',
  }),
  moving('resume', {
    refused: 'campaign_not_paused',
    status: 'live',
    description: 'Sending continues where it stopped.',
  }),
  moving('cancel', {
    refused: 'campaign_not_started',
    status: 'completed',
    description:
      'Queued emails fail with "Campaign dibatalkan." and cost no coins. A cancelled campaign cannot be resumed.',
  }),
];
