import type { ConversionStore } from '../ports/conversion-store';
import { unbuilt } from '../unbuilt';
import type { Mongo } from './client';

/** MongoDB driver of ConversionStore. */
export function conversionStore(_mongo: Mongo): ConversionStore {
  return unbuilt();
}
