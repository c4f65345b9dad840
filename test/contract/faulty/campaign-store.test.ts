import { describeCampaignStore } from '../campaign-store.suite';
import { openWrapped } from './open';

describeCampaignStore(openWrapped);
