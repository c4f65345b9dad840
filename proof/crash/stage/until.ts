import { sleep } from '../../../lib/sleep';

export interface Patience {
  /** Real time between two looks, ms. */
  every: number;
  /** Real time after which it is not looked again, ms. Default: no limit. */
  patience?: number;
}

/** Looks until something holds; false when it did not in time. */
export async function until(
  look: () => boolean | Promise<boolean>,
  { every, patience = Infinity }: Patience,
): Promise<boolean> {
  for (const end = performance.now() + patience; !(await look()); await sleep(every))
    if (performance.now() > end) return false;
  return true;
}
