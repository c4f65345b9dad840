import { decodeHTML } from 'entities';
import type { HtmlShape } from './html-scan';
import { tagKey, type FoundTag, type TagUse } from './merge-tags';
import type { MergedText } from './merged-text';
import { htmlToText } from './plain-text';
import { qpPart } from './quoted-printable';

const [FIRST_PRIVATE, LAST_PRIVATE] = [0xe000, 0xf8ff];

/**
 * The text part made from html (docs/contract.md#text-part), with its merge tags still unfilled. Only `tags`, those of
 * the html, count as tags: markup inside a fallback is text, and text that looks like a tag only after entities and
 * markup are removed is none.
 */
export function generatedText(html: string, tags: readonly FoundTag[], shape: HtmlShape): MergedText {
  if (tags.length === 0) return literal(htmlToText(html, shape));
  const mark = unusedMark(html);
  const { covered, uses } = coverTags(html, tags, mark);
  const parts: MergedText[number][] = [];
  // every second piece is a tag's number between two marks
  htmlToText(covered, shape)
    .split(new RegExp(`${mark}(\\d+)${mark}`))
    .forEach((piece, i) => parts.push(...(i % 2 === 0 ? literal(piece) : known(uses, piece))));
  return parts;
}

const literal = (text: string): MergedText => (text ? [qpPart(text)] : []);

const known = (uses: readonly TagUse[], index: string): TagUse[] => uses.slice(Number(index), Number(index) + 1);

/** The html with a number between two marks for each tag; equal tags share a number, so that equal texts stay equal. */
function coverTags(html: string, tags: readonly FoundTag[], mark: string): { covered: string; uses: TagUse[] } {
  const numbers = new Map<string, number>();
  const uses: TagUse[] = [];
  let covered = '';
  let at = 0;
  for (const tag of tags) {
    const use = asText(tag);
    const key = tagKey(use);
    let number = numbers.get(key);
    if (number === undefined) {
      number = uses.push(use) - 1;
      numbers.set(key, number);
    }
    covered += html.slice(at, tag.start) + mark + number + mark;
    at = tag.end;
  }
  return { covered: covered + html.slice(at), uses };
}

/** The text has no `mailto:` before an address, which is then no URL. */
const asText = (tag: TagUse): TagUse => (tag.place === 'address' ? { field: tag.field, fallback: tag.fallback } : tag);

/** A private-use character that the html contains neither literally nor as an entity. */
function unusedMark(html: string): string {
  const used = new Set(decodeHTML(html).match(/[\uE000-\uF8FF]/g));
  let code = FIRST_PRIVATE;
  while (code < LAST_PRIVATE && used.has(String.fromCharCode(code))) code++;
  return String.fromCharCode(code);
}
