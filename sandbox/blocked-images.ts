import { readUrl } from '../lib/read-url';

const IMAGE = /<img\b[^>]{0,2000}?\bsrc\s*=\s*["']?\s*((?:https?:)?\/\/[^"'\s>]{1,2000})/gi;
const IN_STYLE = /\burl\(\s*["']?\s*((?:https?:)?\/\/[^"')\s]{1,2000})/gi;
/** A page of the inbox reads no more of a mail than this, characters. */
const MAX_READ = 2_000_000;

/** How many different images of a mail the inbox does not load, since they are on other hosts than `host`. */
export function countBlockedImages(html: string, host: string): number {
  const read = html.slice(0, MAX_READ);
  const found = new Set<string>();
  for (const pattern of [IMAGE, IN_STYLE]) {
    for (const [, url = ''] of read.matchAll(pattern)) if (hostOf(url) !== host) found.add(url);
  }
  return found.size;
}

const hostOf = (url: string): string => readUrl(url.startsWith('//') ? `http:${url}` : url)?.host ?? '';
