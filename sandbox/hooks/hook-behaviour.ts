import { SECOND } from '../../lib/clock';

export interface HookBehaviour {
  /** For the pages and docs/sandbox.md. */
  about: string;
  /** The status of the answer, verified or not; null: never answered. When absent, 200 if verified, else 401. */
  answer?: 302 | 500 | null;
  /** Waits before the answer, real time, ms. */
  wait?: number;
}

/** How long `slow` waits, ms: less than the ten seconds of an attempt. */
export const SLOW_ANSWER = 3 * SECOND;

/** Hooks that do not simply answer, by their exact name. */
export const HOOK_BEHAVIOURS: ReadonlyMap<string, HookBehaviour> = new Map([
  ['slow', { about: 'answers only after three seconds', wait: SLOW_ANSWER }],
  ['500', { about: 'answers 500', answer: 500 }],
  [
    'redirect',
    { about: 'answers 302 to the hook “redirected”, which gets nothing: redirects are not followed', answer: 302 },
  ],
  ['hang', { about: 'never answers', answer: null }],
]);

/** Where `redirect` points, below the hooks. */
export const REDIRECTED = 'redirected';
