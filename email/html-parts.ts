import type { HtmlScan } from './html-scan';
import { splitAtTags, type FoundTag, type TagUse } from './merge-tags';
import { qpPart, type QpPart } from './quoted-printable';
import { destinationOf } from './tracked-url';

/** A piece of an html template: either the same for all recipients or different for each. */
export type HtmlPart =
  | { kind: 'literal'; part: QpPart }
  | { kind: 'value'; use: TagUse }
  /** An `href` without tags, with an http(s) URL. */
  | { kind: 'link'; url: string }
  /** An `href` with tags: its target is known per recipient. */
  | { kind: 'merged-link'; pieces: (string | TagUse)[] }
  /** The place for the preheader. */
  | { kind: 'preheader' }
  /** The place for the footer and the open pixel. */
  | { kind: 'tail' };

interface Edit {
  start: number;
  end: number;
  part: HtmlPart;
}

/** Cuts html at its tags, tracked links and tail; `tags` and `scan` belong to this html. */
export function cutHtml(html: string, tags: readonly FoundTag[], scan: HtmlScan): HtmlPart[] {
  const tail: Edit = { start: scan.tail, end: scan.tail, part: { kind: 'tail' } };
  const edits = [...preheaderPlace(tags, scan), tail, ...editsOf(html, tags, scan)].sort((a, b) => a.start - b.start);
  const parts: HtmlPart[] = [];
  let at = 0;
  for (const edit of edits) {
    if (edit.start > at) parts.push({ kind: 'literal', part: qpPart(html.slice(at, edit.start)) });
    parts.push(edit.part);
    at = edit.end;
  }
  if (at < html.length) parts.push({ kind: 'literal', part: qpPart(html.slice(at)) });
  return parts;
}

/** Where the preheader goes: at the start of what is shown; nowhere when the html shows it itself by its tag. */
function preheaderPlace(tags: readonly FoundTag[], { contentStart: start }: HtmlScan): Edit[] {
  if (tags.some(({ field }) => field === 'preheader')) return [];
  return [{ start, end: start, part: { kind: 'preheader' } }];
}

function editsOf(html: string, tags: readonly FoundTag[], scan: HtmlScan): Edit[] {
  const edits: Edit[] = [];
  let next = 0;
  const valuesBefore = (offset: number): void => {
    for (; next < tags.length && tags[next]!.start < offset; next++) {
      const { start, end, ...use } = tags[next]!;
      edits.push({ start, end, part: { kind: 'value', use } });
    }
  };
  for (const { start, end } of scan.hrefs) {
    valuesBefore(start);
    const first = next;
    while (next < tags.length && tags[next]!.start < end) next++;
    const part = linkPart(html.slice(start, end), start, tags.slice(first, next));
    if (part) edits.push({ start, end, part });
  }
  valuesBefore(Infinity);
  return edits;
}

function linkPart(value: string, offset: number, tags: readonly FoundTag[]): HtmlPart | null {
  if (tags.length > 0) {
    const inside = tags.map((tag) => ({ ...tag, start: tag.start - offset, end: tag.end - offset }));
    return { kind: 'merged-link', pieces: splitAtTags(value, inside) };
  }
  const url = destinationOf(value);
  return url === null ? null : { kind: 'link', url };
}
