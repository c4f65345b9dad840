import type { JourneyStore } from '../ports/journey-store';
import { unbuilt } from '../unbuilt';
import type { Mongo } from './client';

/** MongoDB driver of JourneyStore. */
export function journeyStore(_mongo: Mongo): JourneyStore {
  return unbuilt();
}
