import { escapeHtml } from './html-escape';
import type { HtmlRange, HtmlScan } from './html-scan';
import { needsFooter } from './html-template';
import { tagValue, type FoundTag, type MergeValues, type TagUse } from './merge-tags';
import { scanTemplate } from './scan-template';

type Piece = string | TagUse;

interface Edit extends HtmlRange {
  pieces: readonly Piece[];
}

const use = (field: TagUse['field']): TagUse => ({ field, fallback: '' });
const FOOTER: readonly Piece[] = [
  '<div style="margin-top:32px;padding:16px;border-top:1px solid #e5e7eb;',
  'font:12px/1.5 Arial,Helvetica,sans-serif;color:#6b7280;text-align:center"><div><strong>',
  use('business'),
  '</strong></div><div>',
  use('address'),
  '</div></div>\n',
];
/** Without it, a phone shows the mail as it would a page for a desktop. */
const VIEWPORT = '<meta name="viewport" content="width=device-width">';
/** A link that leads nowhere, and is not shown. */
const NOWHERE = '#kurir-nowhere';
/** The mail may say otherwise, except of the links. */
const STYLE = `[href="${NOWHERE}"]{display:none!important}:where(body){font:16px/1.5 Arial,Helvetica,sans-serif;overflow-wrap:break-word}`;
/** For html that is only the content of a body. */
const FRAGMENT_STYLE = ':where(body){max-width:40rem;margin:1.5rem auto;padding:0 1rem}';
const ATTRIBUTES = `(?:\\s(?:"[^"]*"|'[^']*'|[^>"'])*)?`;
/** What stands before the content of the head: doctype, and the opening tags of the page and the head. */
const OPENING = new RegExp(`^(?:\\s*<!doctype[^>]*>)?(?:\\s*<html${ATTRIBUTES}>)?(?:\\s*<head${ATTRIBUTES}>)?`, 'i');

/**
 * The html of a mail as a page for a browser, cut once for all recipients (docs/contract.md#browser-page): its merge
 * tags filled, its links as they were written, no open pixel. The page may be forwarded, and others must not be able to
 * unsubscribe the recipient: links that would do so are hidden and lead nowhere, and the footer has none.
 */
export class BrowserHtml {
  private readonly pieces: readonly Piece[];

  constructor(html: string) {
    const { tags, scan } = scanTemplate(html);
    this.pieces = cut(html, [headOf(html), ...tailOf(tags, scan), ...withoutUnsubscribing(tags, scan)]);
  }

  render(values: MergeValues): string {
    return this.pieces
      .map((piece) => (typeof piece === 'string' ? piece : escapeHtml(tagValue(piece, values))))
      .join('');
  }
}

function headOf(html: string): Edit {
  const at = OPENING.exec(html)?.[0].length ?? 0;
  const title: Piece[] = /<title[\s>]/i.test(html) ? [] : ['<title>', use('subject'), '</title>'];
  const viewport = /name\s{0,9}=\s{0,9}["']?viewport/i.test(html) ? [] : [VIEWPORT];
  const style = /<body[\s>]/i.test(html) ? STYLE : STYLE + FRAGMENT_STYLE;
  return { start: at, end: at, pieces: [...viewport, ...title, `<style>${style}</style>`] };
}

const tailOf = (tags: readonly FoundTag[], scan: HtmlScan): Edit[] =>
  needsFooter(tags, scan) ? [{ start: scan.tail, end: scan.tail, pieces: FOOTER }] : [];

/** The tags with their values, and the links that unsubscribe without their targets. */
function withoutUnsubscribing(tags: readonly FoundTag[], { hrefs, unsubscribeLinks }: HtmlScan): Edit[] {
  const unsubscribes = tags.filter(({ field }) => field === 'unsubscribe');
  const links = [...unsubscribeLinks, ...containing(hrefs, unsubscribes)];
  const covered = new Set(within(tags, links));
  return [
    ...links.map(({ start, end }) => ({ start, end, pieces: [NOWHERE] })),
    ...tags
      .filter((tag) => !covered.has(tag))
      .map((tag) => ({ start: tag.start, end: tag.end, pieces: tag.field === 'unsubscribe' ? [] : [tag] })),
  ];
}

/** The ranges that hold one of `inner`; both are in order. */
function containing(ranges: readonly HtmlRange[], inner: readonly HtmlRange[]): HtmlRange[] {
  let next = 0;
  return ranges.filter(({ start, end }) => {
    while (next < inner.length && inner[next]!.start < start) next++;
    return next < inner.length && inner[next]!.start < end;
  });
}

/** Those of `inner` that lie in one of the ranges. */
function within<T extends HtmlRange>(inner: readonly T[], ranges: readonly HtmlRange[]): T[] {
  const sorted = [...ranges].sort((a, b) => a.start - b.start);
  let next = 0;
  return inner.filter((each) => {
    while (next < sorted.length && sorted[next]!.end <= each.start) next++;
    return next < sorted.length && sorted[next]!.start <= each.start;
  });
}

/** The html with the edits made; of two edits of the same place the first counts. */
function cut(html: string, edits: readonly Edit[]): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const { start, end, pieces: replacement } of [...edits].sort((a, b) => a.start - b.start)) {
    if (start < at) continue;
    if (start > at) pieces.push(html.slice(at, start));
    pieces.push(...replacement);
    at = end;
  }
  pieces.push(html.slice(at));
  return pieces;
}
