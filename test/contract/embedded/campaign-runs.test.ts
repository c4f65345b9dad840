import { describeCampaignRuns } from '../campaign-runs.suite';
import { openTemporary } from './open';

describeCampaignRuns(openTemporary);
