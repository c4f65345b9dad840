import type { IncomingHttpHeaders } from 'node:http';
import type { HitKind } from '../../domain/engagement/machine';

/** Headers in which browsers say that nobody has asked for the page yet, and that it is a preview. */
const PURPOSES = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];
const AHEAD = /\b(?:prefetch|prerender|preview)\b/i;
/** What a navigation leads to (W3C Fetch Metadata); a webmail shows the mail, and may open its links, in a frame. */
const PAGES = new Set(['document', 'frame', 'iframe']);
/**
 * How `Accept` begins where a style sheet, font, image or film is loaded; that of a navigation begins with text/html.
 */
const PART = /^\s*(?:text\/css|image\/|font\/|application\/(?:x-)?font-|audio\/|video\/)/i;

/**
 * True for a request that a program makes by itself: ahead of time, or, of a link, for a part of a page instead of a
 * page (docs/machine-signals.md#reasons). Mails of before only clicked links were tracked have links to fonts.
 */
export function isLoad(headers: IncomingHttpHeaders, kind: HitKind): boolean {
  if (PURPOSES.some((name) => AHEAD.test(String(headers[name] ?? '')))) return true;
  if (kind !== 'click') return false;
  const destination = headers['sec-fetch-dest'];
  return destination === undefined ? PART.test(headers.accept ?? '') : !PAGES.has(String(destination));
}
