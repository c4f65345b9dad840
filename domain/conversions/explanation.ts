import type { PassedOver } from './attribution';

/** A click as it is shown. `url` is null when its place among the links is not known. */
export interface ShownClick {
  at: number;
  messageId: string;
  url: string | null;
}

/** Why a sale is linked as it is. */
export interface Explanation {
  /** The click it is linked to; null while it waits. */
  click: ShownClick | null;
  /** The clicks closest to the sale that were not chosen, newest first. */
  passedOver: (ShownClick & { why: PassedOver })[];
}
