import type { CampaignStore } from '../ports/campaign-store';
import { unbuilt } from '../unbuilt';
import type { Commits } from './commits';
import type { Database } from './database';

/** Embedded driver of CampaignStore. */
export function campaignStore(_db: Database, _commits: Commits): CampaignStore {
  return unbuilt();
}
