import { describeCampaignStore } from '../campaign-store.suite';
import { openTemporaryThreaded } from '../embedded/open';

describeCampaignStore(openTemporaryThreaded);
