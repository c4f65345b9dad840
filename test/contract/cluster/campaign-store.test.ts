import { describeCampaignStore } from '../campaign-store.suite';
import { onCluster } from './open';

onCluster(describeCampaignStore);
