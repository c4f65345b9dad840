import limits from './limits.json';

/** How long a test waits for what it wants to see, ms of real time: only what hangs takes so long. */
export const PATIENCE = limits.patience;

/** The limit of a test or hook that waits so often, ms: above its waits, whose errors say what they waited for. */
export const limitFor = (waits: number): number => waits * PATIENCE + limits.spare;

/** What the environment of the tests tells: when the test or hook that runs now is ended, ms of `performance.now()`. */
declare global {
  var kurirTestEnds: number | undefined;
}

/** Of the limit of a test, what is left for its last look, ms. */
const LAST_LOOK = 5_000;

/** When a wait that begins now gives up, ms of `performance.now()`: after PATIENCE, and before its test is ended. */
export function giveUpAt(patience = PATIENCE): number {
  const now = performance.now();
  const ends = globalThis.kurirTestEnds ?? Infinity;
  // A wait that begins at the end of a test looks at least once more.
  return Math.min(now + patience, Math.max(now, ends - LAST_LOOK));
}
