import type { Conversion } from '../../domain/conversion';

/** Sales as they were reported. */
export interface ConversionStore {
  /**
   * One atomic commit: the conversion, its order id and its record of `conversions` (key: workspace). A repeated order id of the
   * workspace answers `duplicate` and writes nothing, also when two callers race. A contact that is deleted is left out of both, also
   * when the two happen at once.
   */
  accept(conversion: Conversion): Promise<'received' | 'duplicate'>;
  get(id: string): Promise<Conversion | null>;
}
