import type { CampaignRuns } from '../../ports/campaign-runs';
import type { Commits } from '../database/commits';
import type { Database } from '../database/database';
import { expand } from './expand';
import { feed } from './feed';
import { countMembers } from './members';
import { readLinkClicks } from './link-clicks';
import { move } from './move';
import { listRecipients, readProgress } from './progress';
import { settle } from './settle';
import { start } from './start';

/** Embedded driver of CampaignRuns. */
export function campaignRuns(db: Database, commits: Commits): CampaignRuns {
  return {
    countMembers: async (query) => countMembers(db, query),
    start: (request) => commits.write((tx) => start(tx, request)),
    move: (campaign, how, at) => commits.write((tx) => move(tx, campaign, how, at)),
    expand: (campaign, limit) => commits.write((tx) => expand(tx, campaign, limit)),
    feed: (campaign, limit, at) => commits.write((tx) => feed(tx, campaign, limit, at)),
    settle: (campaign, limit, at) => commits.write((tx) => settle(tx, campaign, limit, at)),
    progress: async (campaign) => readProgress(db, campaign),
    mark: ({ workspaceId, id }, marks) =>
      commits.write(() => {
        db.run(
          'UPDATE campaigns SET marks = ? WHERE id = ? AND workspace_id = ?',
          JSON.stringify(marks),
          id,
          workspaceId,
        );
      }),
    recipients: async (campaign, after, limit) => listRecipients(db, campaign, after, limit),
    linkClicks: async (campaign, after, limit) => readLinkClicks(db, campaign, after, limit),
  };
}
