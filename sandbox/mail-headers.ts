import { decodeWords } from 'postal-mime';

export interface Header {
  name: string;
  /** Unfolded, encoded words decoded. */
  value: string;
}

/** The length in bytes of a mail's header section, including its final line end. */
export function headerSize(source: Buffer): number {
  const head = source.toString('latin1', 0, Math.min(source.length, MAX_HEADERS));
  if (/^\r?\n/.test(head)) return 0;
  const blank = /\n\r?\n/.exec(head);
  return blank ? blank.index + 1 : head.length;
}
const MAX_HEADERS = 256 * 1024;

/** The fields of a header section, in order, as a mail client shows them. */
export function readHeaders(section: Buffer): Header[] {
  const unfolded = section.toString('utf8').replace(/\r?\n(?=[ \t])/g, '');
  return unfolded.split(/\r?\n/).flatMap((line) => {
    const colon = line.indexOf(':');
    if (colon < 1) return [];
    return [{ name: line.slice(0, colon).trim(), value: decodeWords(line.slice(colon + 1).trim()) }];
  });
}

/** The value of the first field with that name, or an empty text. */
export function headerValue(headers: readonly Header[], name: string): string {
  return headers.find((header) => header.name.toLowerCase() === name)?.value ?? '';
}
