import { LRUCache } from 'lru-cache';
import { BrowserHtml } from './browser-html';
import { HtmlTemplate } from './html-template';
import { mergedText, type MergedText } from './merged-text';

/** Bytes of templates to cache, by a rough estimate of the memory a cut template needs besides its source. */
const MOST_BYTES = 16 * 1024 * 1024;
const BYTES_PER_CHARACTER = 6;
const BYTES_PER_TEMPLATE = 2_000;

const weigh = (_template: unknown, source: string): number => BYTES_PER_TEMPLATE + source.length * BYTES_PER_CHARACTER;
const htmls = new LRUCache<string, HtmlTemplate>({ maxSize: MOST_BYTES, sizeCalculation: weigh });
const pages = new LRUCache<string, BrowserHtml>({ maxSize: MOST_BYTES / 4, sizeCalculation: weigh });
const texts = new LRUCache<string, MergedText>({ maxSize: MOST_BYTES / 4, sizeCalculation: weigh });

/** The template of an html source, cut once and cached while in use. */
export function htmlTemplate(html: string): HtmlTemplate {
  return remembered(htmls, html, () => new HtmlTemplate(html));
}

/** The page of an html source, cut once and cached while in use. */
export function browserHtml(html: string): BrowserHtml {
  return remembered(pages, html, () => new BrowserHtml(html));
}

/** The template of a text source, cut once and cached while in use. */
export function textTemplate(text: string): MergedText {
  return remembered(texts, text, () => mergedText(text));
}

function remembered<T extends object>(cache: LRUCache<string, T>, source: string, make: () => T): T {
  const known = cache.get(source);
  if (known) return known;
  const made = make();
  cache.set(source, made);
  return made;
}
