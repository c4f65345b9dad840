import { scanHtml, type HtmlRange, type HtmlScan } from './html-scan';
import { findMergeTags, maskTags, type FoundTag } from './merge-tags';
import { placesInUrl } from './url-places';

/**
 * The merge tags of an html template, each with its place in the URL that it stands in, and where it can be changed.
 */
export function scanTemplate(html: string, variables: readonly string[] = []): { tags: FoundTag[]; scan: HtmlScan } {
  const found = findMergeTags(html, variables);
  const scan = scanHtml(maskTags(html, found));
  return { tags: placedInAttributes(html, found, scan.urls), scan };
}

/** An attribute is a URL as a whole: also a relative one, one with spaces, and one that a tag begins. */
function placedInAttributes(html: string, found: FoundTag[], urls: readonly HtmlRange[]): FoundTag[] {
  if (found.length === 0) return found;
  const tags: FoundTag[] = [];
  let next = 0;
  const before = (offset: number): FoundTag[] => {
    const from = next;
    while (next < found.length && found[next]!.start < offset) next += 1;
    return found.slice(from, next);
  };
  for (const { start, end } of urls) {
    tags.push(...before(start));
    tags.push(...placedIn(html.slice(start, end), start, before(end)));
  }
  return [...tags, ...found.slice(next)];
}

function placedIn(url: string, offset: number, tags: readonly FoundTag[]): FoundTag[] {
  const inside = tags.map(({ start, end }) => ({ start: start - offset, end: end - offset }));
  return placesInUrl(url, inside).map((place, n) => {
    const { start, end, field, fallback } = tags[n]!;
    return { start, end, field, fallback, ...(place && { place }) };
  });
}
