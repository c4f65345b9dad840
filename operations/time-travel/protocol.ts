import { DAY } from '../../lib/clock';

/** The longest way that the clock is moved at once, ms. */
export const LONGEST_ADVANCE = 3_653 * DAY;

/**
 * State of an advance: the service's time, how far it has come of the whole way, and how often the clock was moved; all
 * times ms.
 */
export interface Progress {
  at: number;
  moved: number;
  whole: number;
  steps: number;
}

export interface Advanced extends Progress {
  /** It was stopped before the end. */
  stopped: boolean;
}

/** A line of the response to an advance: progress lines first, then the result. */
export type TravelLine = { progress: Progress } | { done: Advanced } | { error: string };
