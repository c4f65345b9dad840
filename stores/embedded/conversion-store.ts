import type { ConversionStore } from '../ports/conversion-store';
import { unbuilt } from '../unbuilt';
import type { Commits } from './commits';
import type { Database } from './database';

/** Embedded driver of ConversionStore. */
export function conversionStore(_db: Database, _commits: Commits): ConversionStore {
  return unbuilt();
}
