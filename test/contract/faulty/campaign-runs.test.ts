import { describeCampaignRuns } from '../campaign-runs.suite';
import { openWrapped } from './open';

describeCampaignRuns(openWrapped);
