import { describeCampaignRuns } from '../campaign-runs.suite';
import { onCluster } from './open';

onCluster(describeCampaignRuns);
