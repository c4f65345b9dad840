import { escapeHtml } from '../../../email/html-escape';
import { findMergeTags } from '../../../email/merge-tags';
import { CLOSERS } from '../../../email/url-places';
import { readUrl } from '../../../lib/read-url';

const TAG = String.raw`\{\{[^{}]*\}\}`;
/** A URL with tags inside, up to one of these characters. */
const urlUpTo = (end: string): string => String.raw`\bhttps?:\/\/(?:${TAG}|[^\s<>"${end}])+`;
/** A URL that stands between two of these ends at the second, as in the cells of a table. */
const BETWEEN = Object.entries(CLOSERS)
  .filter(([opener]) => opener !== '(')
  .map(([opener, closer]) => `(?<=\\${opener})${urlUpTo(`\\${closer}`)}`);
/** What looks like a merge tag, or a URL with such inside. */
const TAG_OR_URL = new RegExp([TAG, ...BETWEEN, urlUpTo('')].join('|'), 'gi');
/** Punctuation and marks that end the sentence, and not the URL. */
const TRAILING = new Set(".,;:!?'*_~…|`^\\]”’»。、，！？：；）」』】》");

/**
 * The HTML part of a mail that has text only: line breaks and runs of spaces are kept, URLs become links, so that they
 * are tracked, and merge tags stay as written (docs/contract.md#merge-tags). Lines end in LF. Linear in the length.
 */
export function htmlOfText(text: string): string {
  const pieces: string[] = [];
  let at = 0;
  for (const match of text.matchAll(TAG_OR_URL)) {
    const isTag = match[0].startsWith('{');
    const found = isTag ? match[0] : withoutTrailing(match[0]);
    const html = isTag ? tagHtml(found) : linkHtml(found);
    if (html === null) continue;
    pieces.push(plainHtml(text.slice(at, match.index)), html);
    at = match.index + found.length;
  }
  pieces.push(plainHtml(text.slice(at)));
  return `<div>${pieces.join('')}</div>\n`;
}

function plainHtml(text: string): string {
  return escapeHtml(text)
    .replace(/\t/g, '    ')
    .replace(/(?<=\n) | {2,}/g, (run) => `${'&nbsp;'.repeat(Math.max(1, run.length - 1))}${run.length > 1 ? ' ' : ''}`)
    .replace(/\n/g, '<br>\n');
}

/** A known tag as it is, since what it stands for is escaped where it is filled in; null for other text in braces. */
function tagHtml(text: string): string | null {
  const [tag] = findMergeTags(text);
  if (!tag) return null;
  return tag.field === 'unsubscribe' ? `<a href="${text}">${text}</a>` : text;
}

function linkHtml(url: string): string | null {
  if (!url.includes('{{') && !readUrl(url)) return null;
  const html = url.replace(/\{\{[^{}]*\}\}|[^{]+|\{/g, (piece) => {
    const isTag = piece.startsWith('{{') && findMergeTags(piece).length > 0;
    return isTag ? piece : escapeHtml(piece);
  });
  return `<a href="${html}">${html}</a>`;
}

/** Without the punctuation after it, and without a bracket that was opened before it. */
function withoutTrailing(url: string): string {
  let surplus = (url.match(/\)/g)?.length ?? 0) - (url.match(/\(/g)?.length ?? 0);
  let end = url.length;
  for (; end > 0; end--) {
    const last = url[end - 1]!;
    if (TRAILING.has(last)) continue;
    if (last !== ')' || surplus-- <= 0) break;
  }
  return url.slice(0, end);
}
