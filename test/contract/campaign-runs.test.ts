import { describe } from '@jest/globals';
import { describeClaims } from './campaign-runs/claims.cases';
import { describeLinkClicks } from './campaign-runs/link-clicks.cases';
import { describeRemoved } from './campaign-runs/removed.cases';
import { describeStart } from './campaign-runs/start.cases';
import { describeSteps } from './campaign-runs/steps.cases';
import { describeTally } from './campaign-runs/tally.cases';
import { onEveryDriver } from './drivers';
import type { OpenEngine } from './harness';

/** The CampaignRuns behaviour required of every driver. */
function describeCampaignRuns(open: OpenEngine): void {
  describe('CampaignRuns', () => {
    describeStart(open);
    describeSteps(open);
    describeRemoved(open);
    describeClaims(open);
    describeTally(open);
    describeLinkClicks(open);
  });
}

onEveryDriver(describeCampaignRuns);
