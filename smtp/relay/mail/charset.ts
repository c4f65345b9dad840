import iconv from 'iconv-lite';
import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';

/** What windows-1252 has at 0x80 to 0x9f; a code that it leaves free stays the control character. */
const WINDOWS_1252 =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f' +
  '\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178';

/** Names that mailers use and the Encoding Standard does not list. */
const ALIASES: Readonly<Record<string, string>> = {
  ansi: 'windows-1252',
  cp65001: 'utf-8',
  'utf-8-sig': 'utf-8',
  utf8mb4: 'utf-8',
  utf16: 'utf-16le',
  cp932: 'shift_jis',
  cp936: 'gbk',
  ms936: 'gbk',
  cp949: 'euc-kr',
  ms949: 'euc-kr',
  uhc: 'euc-kr',
  cp950: 'big5',
  big5_tw: 'big5',
  eucgb2312_cn: 'gbk',
  cp874: 'windows-874',
  eucjp: 'euc-jp',
  euckr: 'euc-kr',
  'iso-2022-jp-1': 'iso-2022-jp',
  'iso-2022-jp-2': 'iso-2022-jp',
  'iso-2022-jp-ms': 'iso-2022-jp',
  cp50220: 'iso-2022-jp',
  koi8r: 'koi8-r',
};
/** Names that say nothing: mailers put them on UTF-8 too. */
const UNSAID = new Set(['', 'us-ascii', 'ascii', 'ansi_x3.4-1968', 'unknown', 'unknown-8bit', 'x-unknown', 'default']);
const UTF_16 = new Set(['utf-16', 'utf-16le', 'utf-16be', 'unicode', 'csunicode', 'iso-10646-ucs-2', 'ucs-2']);

/** Names of iconv-lite that are no charset of a mail; one in seven bits can hide markup (UTF-7). */
const NO_CHARSETS = new Set(['utf7', 'utf7imap', 'base64', 'hex', 'binary', 'internal']);
const DOS = /^(?:cs)?(?:pc|ibm|cp|dos|oem|codepage)?-?0*(\d{3})(?:-?(?:multilingual|latin|pc|us).*)?$/;
const WINDOWS = /^(?:windows|win|cp|ibm|ms)-?(125[0-8])$/;

/**
 * Text in the charset of a mail: any that browsers know, and those that iconv-lite knows beside (code pages of DOS,
 * such as cp850). Without a charset, and in one that is not known, bytes that are valid UTF-8 are read as such and
 * others as windows-1252. Bytes that the charset does not have become U+FFFD. Never throws.
 */
export function decodeText(bytes: Uint8Array, charset: string | null): string {
  const label = nameOf(charset ?? '');
  if (label === 'iso-8859-16') return iconv.decode(bytes, label);
  const decoder = UNSAID.has(label) ? null : decoderFor(label, bytes);
  if (decoder === null) {
    const table = tableFor(label);
    if (table !== null) return iconv.decode(bytes, table);
    return isUtf8(bytes) ? new TextDecoder().decode(bytes) : fromWindows1252(bytes);
  }
  if (decoder.encoding === 'windows-1252') return fromWindows1252(bytes);
  // As mailers mean it: with the syllables that Windows added (code page 949), which TextDecoder does not know.
  return decoder.encoding === 'euc-kr' ? iconv.decode(bytes, 'cp949') : decoder.decode(bytes);
}

/** The charset that a text names when its letters are a guess for want of it; null when they are not. */
export function unknownCharset(bytes: Uint8Array, charset: string | null): string | null {
  const label = nameOf(charset ?? '');
  if (UNSAID.has(label) || decoderFor(label, bytes) !== null || tableFor(label) !== null) return null;
  const isAscii = bytes.every((byte) => byte < 0x80);
  // Those in seven bits look like ASCII.
  const isGuess = isAscii ? /^(?:utf-?7|hz|iso-?2022)/.test(label) : !isUtf8(bytes);
  return isGuess ? charset : null;
}

function nameOf(charset: string): string {
  const name = charset.toLowerCase().replace(/["'\s]/g, '');
  const plain = name.replace(/^(?:x-ms-|x-)(?!mac-|user-defined)/, '');
  const windows = WINDOWS.exec(plain.replace('_', '-'))?.[1];
  return ALIASES[plain] ?? (windows === undefined ? plain : `windows-${windows}`);
}

/** Null for a charset that browsers do not know. */
function decoderFor(label: string, bytes: Uint8Array): TextDecoder | null {
  const marked = UTF_16.has(label) && bytes[0] === 0xfe && bytes[1] === 0xff;
  for (const name of marked ? ['utf-16be'] : [label, label.replace(/_/g, '-'), label.replace(/[^a-z0-9]/g, '')]) {
    try {
      return new TextDecoder(name);
    } catch {
      // Another spelling may be known.
    }
  }
  return null;
}

/** Null for a charset that iconv-lite does not know either. */
function tableFor(label: string): string | null {
  const plain = label.replace(/[^a-z0-9]/g, '');
  if (UNSAID.has(label) || NO_CHARSETS.has(plain)) return null;
  const page = DOS.exec(label.replace(/_/g, '-'))?.[1];
  return [`cp${page}`, plain, `mac${plain.replace(/^x?mac/, '')}`].find((name) => iconv.encodingExists(name)) ?? null;
}

const UNITS = Uint16Array.from({ length: 256 }, (_, code) => WINDOWS_1252.charCodeAt(code - 0x80) || code);

/**
 * Not TextDecoder, which reads 0x80 to 0x9f as control characters on Node 20, nor iconv-lite, which drops what is free.
 */
function fromWindows1252(bytes: Uint8Array): string {
  const text = new Uint16Array(bytes.length);
  for (let i = 0; i < bytes.length; i++) text[i] = UNITS[bytes[i]!]!;
  return Buffer.from(text.buffer).toString('utf16le');
}
