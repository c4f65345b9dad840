import { describeCampaignRuns } from '../campaign-runs.suite';
import { openTemporaryThreaded } from '../embedded/open';

describeCampaignRuns(openTemporaryThreaded);
