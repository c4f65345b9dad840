import type { AudienceStore } from '../ports/audience-store';
import { unbuilt } from '../unbuilt';
import type { Commits } from './commits';
import type { Database } from './database';

/** Embedded driver of AudienceStore. */
export function audienceStore(_db: Database, _commits: Commits): AudienceStore {
  return unbuilt();
}
