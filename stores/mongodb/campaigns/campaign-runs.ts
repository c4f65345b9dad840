import type { CampaignRuns } from '../../ports/campaign-runs';
import { documents } from '../database/documents';
import { guarded } from '../transactions/guard';
import { expand } from './expand';
import { feed, type StepParts } from './feed';
import { readLinkClicks } from './link-clicks';
import { countMembers } from './members';
import { move } from './move';
import { listRecipients, readProgress } from './progress';
import { start } from './start';
import { settle } from './settle';

/** MongoDB driver of CampaignRuns. */
export function campaignRuns(parts: StepParts): CampaignRuns {
  const { mongo } = parts;
  return guarded<CampaignRuns>({
    countMembers: (query) => countMembers(mongo, query),
    start: (request) => start(mongo, request),
    move: (campaign, how, at) => move(mongo, campaign, how, at),
    expand: (campaign, limit) => expand(mongo, campaign, limit),
    feed: (campaign, limit, at) => feed(parts, campaign, limit, at),
    settle: (campaign, limit, at) => settle(parts, campaign, limit, at),
    progress: (campaign) => readProgress(mongo, campaign),
    mark: async ({ workspaceId, id }, marks) => {
      await documents(mongo.db, 'campaigns').updateOne({ _id: id, workspaceId }, { $set: { 'run.marks': [...marks] } });
    },
    recipients: (campaign, after, limit) => listRecipients(mongo, campaign, after, limit),
    linkClicks: (campaign, after, limit) => readLinkClicks(mongo, campaign, after, limit),
  });
}
