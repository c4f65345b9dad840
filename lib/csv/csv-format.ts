import type { Buffer } from 'node:buffer';

/** What separates the cells of a line. */
export type Delimiter = ',' | ';' | '\t';
export const DELIMITERS: readonly Delimiter[] = [',', ';', '\t'];

/** `windows-1252` is also how ISO 8859-1 is read, as browsers do. */
export type CsvEncoding = 'utf-8' | 'windows-1252' | 'utf-16le' | 'utf-16be';

/** How a file is written. */
export interface CsvFormat {
  delimiter: Delimiter;
  encoding: CsvEncoding;
}

const MARKS: readonly { encoding: CsvEncoding; bytes: readonly number[] }[] = [
  { encoding: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf-16be', bytes: [0xfe, 0xff] },
];

/** Bytes that `sniffEncoding` looks at. */
export const SNIFFED_BYTES = 4;

/** The encoding that the first bytes show, and the bytes of its byte order mark; null when they leave it open. */
export function sniffEncoding(start: Buffer): { encoding: CsvEncoding; mark: number } | null {
  const marked = MARKS.find(({ bytes }) => bytes.every((byte, i) => start[i] === byte));
  if (marked) return { encoding: marked.encoding, mark: marked.bytes.length };
  if (start.length < SNIFFED_BYTES) return null;
  // A header begins with ASCII: every other byte of UTF-16 is 0.
  const zeros = [0, 1, 2, 3].map((i) => start[i] === 0).join();
  if (zeros === 'false,true,false,true') return { encoding: 'utf-16le', mark: 0 };
  if (zeros === 'true,false,true,false') return { encoding: 'utf-16be', mark: 0 };
  return null;
}

/** The line `sep=;` that spreadsheets read and write before the header. */
const SEPARATOR_LINE = /^"?sep=([,;\t])"?\r?$/i;

/** The delimiter that a line before the header names, if it is such a line. */
export function namedDelimiter(line: string): Delimiter | null {
  return (SEPARATOR_LINE.exec(line)?.[1] as Delimiter | undefined) ?? null;
}

/** The delimiter that the header uses most outside quotes; a comma when it has none. */
export function usedDelimiter(header: string): Delimiter {
  const bare = header.replace(/"(?:[^"]|"")*"?/g, '');
  const uses = DELIMITERS.map((delimiter) => bare.split(delimiter).length);
  return DELIMITERS[uses.indexOf(Math.max(...uses))]!;
}
