import type { AudienceStore } from '../ports/audience-store';
import { unbuilt } from '../unbuilt';
import type { Mongo } from './client';

/** MongoDB driver of AudienceStore. */
export function audienceStore(_mongo: Mongo): AudienceStore {
  return unbuilt();
}
