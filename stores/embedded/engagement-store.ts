import type { EngagementStore } from '../ports/engagement-store';
import { unbuilt } from '../unbuilt';
import type { Commits } from './commits';
import type { Database } from './database';

/** Embedded driver of EngagementStore. */
export function engagementStore(_db: Database, _commits: Commits): EngagementStore {
  return unbuilt();
}
