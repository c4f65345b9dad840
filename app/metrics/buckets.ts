/** Upper bounds of histograms, seconds. */

/** Calls of the store, requests, hand-offs. */
export const SHORT_TIMES = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** From a tenth of a second to the three days that a hand-off is tried. */
export const WAITS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600, 14_400, 86_400, 259_200];

/** Reports come at once, or after days. */
export const LONG_WAITS = [0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3_600, 14_400, 86_400, 345_600];
