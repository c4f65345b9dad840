import { decodeText, unknownCharset } from './charset';

/** RFC 2047, with spaces inside as some mailers write them; a language (RFC 2231 section 5) is skipped. */
const WORD = /=\?([^?*\s]+)(?:\*[^?\s]*)?\?([bq])\?([^?]*)\?=/gi;
const BETWEEN = /^[ \t\r\n]*$/;

interface Word {
  charset: string;
  base64: boolean;
  payload: string;
}

/** Text of a header with its encoded words decoded. Linear in the length; never throws. */
export function decodeWords(value: string): string {
  return replaceRuns(value, (text) => text);
}

/** The same header with every run of encoded words as a single one in UTF-8, which any parser reads alike. */
export function recodeWords(value: string): string {
  return replaceRuns(value, (text) => `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`);
}

/** A charset of an encoded word that is not known, so that its letters are a guess; null without one. */
export function unknownWord(value: string): string | null {
  const words = value.includes('=?') ? [...value.matchAll(WORD)] : [];
  const unknown = words.map(([, charset = '', encoding = '', payload = '']) =>
    unknownCharset(bytesOf({ charset, base64: encoding.toLowerCase() === 'b', payload }), charset),
  );
  return unknown.find((charset) => charset !== null) ?? null;
}

/** Words with nothing but white space between them belong together; what is between them is no content. */
function replaceRuns(value: string, write: (text: string) => string): string {
  if (!value.includes('=?')) return value;
  let result = '';
  let at = 0;
  let run: Word[] = [];
  for (const match of value.matchAll(WORD)) {
    const before = value.slice(at, match.index);
    if (run.length > 0 && !BETWEEN.test(before)) {
      result += write(decodeRun(run)) + before;
      run = [];
    } else if (run.length === 0) result += before;
    run.push({ charset: match[1]!.toLowerCase(), base64: match[2]!.toLowerCase() === 'b', payload: match[3]! });
    at = match.index + match[0].length;
  }
  if (run.length > 0) result += write(decodeRun(run));
  return result + value.slice(at);
}

/**
 * The bytes of neighbours in one charset are decoded together, since mailers cut through characters; each alone when
 * that does not fit, as with charsets that begin again in each word.
 */
function decodeRun(words: readonly Word[]): string {
  let text = '';
  let first = 0;
  words.forEach(({ charset }, i) => {
    if (words[i + 1]?.charset === charset) return;
    text += decodeGroup(charset, words.slice(first, i + 1).map(bytesOf));
    first = i + 1;
  });
  return text;
}

function decodeGroup(charset: string, words: readonly Buffer[]): string {
  const together = decodeText(Buffer.concat(words), charset);
  return together.includes('\ufffd') ? words.map((bytes) => decodeText(bytes, charset)).join('') : together;
}

const bytesOf = ({ base64, payload }: Word): Buffer => (base64 ? Buffer.from(payload, 'base64') : decodeQ(payload));

/** Characters above ASCII, which may not stand there, count as UTF-8. */
function decodeQ(payload: string): Buffer {
  const bytes = Buffer.from(payload.replace(/_/g, ' ')).toString('latin1');
  const decoded = bytes.replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(decoded, 'latin1');
}
