import type { CampaignStore } from '../ports/campaign-store';
import { unbuilt } from '../unbuilt';
import type { Mongo } from './client';

/** MongoDB driver of CampaignStore. */
export function campaignStore(_mongo: Mongo): CampaignStore {
  return unbuilt();
}
