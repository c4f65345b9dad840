import type { EngagementStore } from '../ports/engagement-store';
import { unbuilt } from '../unbuilt';
import type { Mongo } from './client';

/** MongoDB driver of EngagementStore. */
export function engagementStore(_mongo: Mongo): EngagementStore {
  return unbuilt();
}
