import { LRUCache } from 'lru-cache';
import { BrowserHtml } from './browser-html';
import { HtmlTemplate } from './html-template';
import { mergedText, type MergedText } from './merged-text';

/** Bytes of templates to cache, by a rough estimate of the memory a cut template needs besides its source. */
const MAX_BYTES = 16 * 1024 * 1024;
const BYTES_PER_CHARACTER = 6;
const BYTES_PER_TEMPLATE = 2_000;

const weigh = (_template: unknown, source: string): number => BYTES_PER_TEMPLATE + source.length * BYTES_PER_CHARACTER;
const htmls = new LRUCache<string, HtmlTemplate>({ maxSize: MAX_BYTES, sizeCalculation: weigh });
const pages = new LRUCache<string, BrowserHtml>({ maxSize: MAX_BYTES / 4, sizeCalculation: weigh });
const texts = new LRUCache<string, MergedText>({ maxSize: MAX_BYTES / 4, sizeCalculation: weigh });

/** The template of an html source with merge tags of its own, cut once and cached while in use. */
export function htmlTemplate(html: string, variables: readonly string[] = []): HtmlTemplate {
  return remembered(htmls, keyOf(html, variables), () => new HtmlTemplate(html, variables));
}

/** The page of an html source, cut once and cached while in use. */
export function browserHtml(html: string): BrowserHtml {
  return remembered(pages, html, () => new BrowserHtml(html));
}

/** The template of a text source with merge tags of its own, cut once and cached while in use. */
export function textTemplate(text: string, variables: readonly string[] = []): MergedText {
  return remembered(texts, keyOf(text, variables), () => mergedText(text, variables));
}

/** A source begins with a mark where it has tags of its own, so that no other source reads like it. */
const keyOf = (source: string, variables: readonly string[]): string =>
  variables.length === 0 && !source.startsWith('[') ? source : JSON.stringify(variables) + source;

function remembered<T extends object>(cache: LRUCache<string, T>, source: string, make: () => T): T {
  const known = cache.get(source);
  if (known) return known;
  const made = make();
  cache.set(source, made);
  return made;
}
