import { describeCampaignStore } from '../campaign-store.suite';
import { openTemporary } from './open';

describeCampaignStore(openTemporary);
