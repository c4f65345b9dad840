import type { JourneyStore } from '../ports/journey-store';
import { unbuilt } from '../unbuilt';
import type { Commits } from './commits';
import type { Database } from './database';

/** Embedded driver of JourneyStore. */
export function journeyStore(_db: Database, _commits: Commits): JourneyStore {
  return unbuilt();
}
