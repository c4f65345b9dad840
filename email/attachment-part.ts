import { toUSVString } from 'node:util';
import type { Attachment } from '../domain/messages/message';
import { encodedWords, isPlainHeaderText } from './header-text';

const COLUMNS = 76;
const LINE_BYTES = (COLUMNS / 4) * 3;
const TOKEN = "[A-Za-z0-9!#$%&'*+.^_`|~-]+";
const MEDIA_TYPE = new RegExp(`^(${TOKEN}/${TOKEN})((?:;[ \\t]*${TOKEN}=(?:${TOKEN}|"[ !#-\\[\\]-~]*"))*)$`);

/** A MIME part that is written where it is needed, so that a large one exists only once. */
export interface MimePart {
  /** Its size in bytes. */
  length: number;
  /** Writes it into the output and returns the offset behind it. */
  writeTo(output: Buffer, at: number): number;
}

/**
 * One attachment as a MIME part (RFC 2045, 2183): header fields, blank line, base64 in lines of 76 columns, no CRLF
 * after it.
 */
export function attachmentPart({ filename, contentType, content }: Attachment): MimePart {
  const head =
    `Content-Type: ${safeMediaType(contentType)};\r\n name=${nameParameter(filename)}\r\n` +
    'Content-Transfer-Encoding: base64\r\n' +
    `Content-Disposition: attachment;\r\n ${filenameParameter(filename)}\r\n\r\n`;
  return {
    length: head.length + base64Length(content.length),
    writeTo: (output, at) => writeBase64(content, output, at + output.write(head, at, 'latin1')),
  };
}

/** The given type, if it is valid and may be sent as base64 (RFC 2046 forbids that for composite types). */
function safeMediaType(contentType: string): string {
  const match = MEDIA_TYPE.exec(contentType.trim());
  if (!match || /^(?:multipart|message)\//i.test(match[1]!)) return 'application/octet-stream';
  return match[0].length <= COLUMNS - 16 ? match[0] : match[1]!;
}

/** For old readers: RFC 2047 inside quotes, which the RFC forbids but all readers understand. */
function nameParameter(filename: string): string {
  return isSimpleName(filename) ? `"${filename}"` : `"${encodedWords(filename, COLUMNS - 30)}"`;
}

/** RFC 2231: percent-encoded UTF-8, split into numbered pieces when it is long. */
function filenameParameter(filename: string): string {
  if (isSimpleName(filename)) return `filename="${filename}"`;
  const encoded = percentEncode(filename);
  if (encoded.length <= 55) return `filename*=utf-8''${encoded}`;
  const pieces = encoded.match(/(?:%[0-9A-F]{2}|[^%]){1,18}/g) ?? [];
  return pieces.map((piece, i) => `filename*${i}*=${i === 0 ? "utf-8''" : ''}${piece}`).join(';\r\n ');
}

const isSimpleName = (filename: string): boolean =>
  filename.length <= 60 && isPlainHeaderText(filename) && !/["\\]/.test(filename);

function percentEncode(filename: string): string {
  const encode = (character: string): string =>
    `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
  return encodeURIComponent(toUSVString(filename).replace(/\p{Cc}+/gu, ' ')).replace(/['()*!~]/g, encode);
}

/** The length of so many bytes as base64 in lines of 76 columns. */
export const base64Length = (bytes: number): number =>
  Math.ceil(bytes / 3) * 4 + Math.max(Math.ceil(bytes / LINE_BYTES) - 1, 0) * 2;

/** Writes base64 line by line: the fastest of several ways for ten megabytes. Returns the offset behind it. */
function writeBase64(content: Buffer, output: Buffer, start: number): number {
  let at = start;
  for (let i = 0; i < content.length; i += LINE_BYTES) {
    if (i > 0) at += output.write('\r\n', at, 'latin1');
    at += output.write(content.toString('base64', i, Math.min(i + LINE_BYTES, content.length)), at, 'latin1');
  }
  return at;
}
