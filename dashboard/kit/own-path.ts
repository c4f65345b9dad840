import { readUrl } from '../../lib/read-url';
import { BASE } from './cookies';

const ANY_SITE = 'http://dashboard.invalid';
/** Visible characters of ASCII but the backslash, which browsers take for a slash. */
const PLAIN = /^(?!.*\\)[!-~]{1,2000}$/;
/** Of a decoded path, which may have any letters. */
const DECODED = /^[^\\\p{Cc}]*$/u;
/** How often a path may be encoded. */
const ROUNDS = 5;

/**
 * The address of a screen of ours, as browsers read it; the dashboard's first one for any other, so that a link leads
 * on neither to another site nor to another part of this one. A path is judged as it is and as often decoded as it can
 * be: a proxy may decode it once more.
 */
export function ownPath(next: string): string {
  const url = PLAIN.test(next) && next.startsWith(BASE) ? readUrl(ANY_SITE + next) : null;
  return url && isOwn(url.pathname, ROUNDS) ? url.pathname + url.search + url.hash : BASE;
}

function isOwn(path: string, rounds: number): boolean {
  const isBelow = DECODED.test(path) && (path === BASE || path.startsWith(`${BASE}/`)) && !path.includes('//');
  if (!isBelow || rounds === 0) return false;
  const decoded = decodedPath(path);
  return decoded === path || (decoded !== null && isOwn(decoded, rounds - 1));
}

/** The path decoded once, its dots resolved; null when it cannot be. */
function decodedPath(path: string): string | null {
  try {
    return dotless(decodeURIComponent(path));
  } catch {
    return null;
  }
}

/** Does what a browser does with `.` and `..`, and what servers do with `..;`, and encodes nothing. */
function dotless(path: string): string {
  const kept: string[] = [];
  for (const part of path.split('/')) {
    const [name = ''] = part.split(';', 1);
    if (name === '..') kept.pop();
    else if (name !== '.') kept.push(part);
  }
  return kept.join('/');
}
