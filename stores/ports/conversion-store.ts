import type { Conversion } from '../../domain/conversion';

/** Reported sales. */
export interface ConversionStore {
  /**
   * Stores in one atomic commit: the conversion, its order id and its record of `conversions` (key: workspace). A
   * repeated order id of the workspace returns `duplicate` and writes nothing, even if two callers race. A deleted
   * contact is left out of both, even if its deletion happens at the same time.
   */
  accept(conversion: Conversion): Promise<'received' | 'duplicate'>;
  get(id: string): Promise<Conversion | null>;
}
