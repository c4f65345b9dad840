/** Quoted-printable text that starts at the first column, with what is needed to append it to another. */
export interface QpPart {
  text: string;
  /** Columns of its first line. */
  first: number;
  /** Columns of its last line. */
  last: number;
  /** True when it has no line break. */
  single: boolean;
}

const LINE = 76;
const [TAB, LF, CR, SPACE, DOT, EQUALS, F] = [0x09, 0x0a, 0x0d, 0x20, 0x2e, 0x3d, 0x46];
const HEX = Buffer.from('0123456789ABCDEF', 'latin1');

/**
 * Quoted-printable encoding of a text (RFC 2045 section 6.7): UTF-8, lines of at most 76 columns, every kind of line
 * break as CRLF. White space at the end, and dots and "From " at the start of a line, are encoded, so that no relay has
 * a reason to change a signed line.
 */
export function encodeQuotedPrintable(text: string): string {
  const input = Buffer.from(text, 'utf8');
  const output = Buffer.allocUnsafe(input.length * 3 + Math.ceil((input.length * 3) / (LINE - 3)) * 3);
  let column = 0;
  let length = 0;
  for (let i = 0; i < input.length; i++) {
    const byte = input[i]!;
    if (byte === CR || byte === LF) {
      if (byte === CR && input[i + 1] === LF) i++;
      output[length++] = CR;
      output[length++] = LF;
      column = 0;
      continue;
    }
    const width = isLiteral(input, i, byte, column) ? 1 : 3;
    if (column + width > LINE - 1) {
      output[length++] = EQUALS;
      output[length++] = CR;
      output[length++] = LF;
      column = 0;
    }
    // the break above may have moved the byte to the start of a line
    if (width === 1 && (column > 0 || isLiteral(input, i, byte, column))) {
      output[length++] = byte;
      column++;
    } else {
      output[length++] = EQUALS;
      output[length++] = HEX[byte >> 4]!;
      output[length++] = HEX[byte & 15]!;
      column += 3;
    }
  }
  return output.toString('latin1', 0, length);
}

function isLiteral(input: Buffer, i: number, byte: number, column: number): boolean {
  if (byte === SPACE || byte === TAB) {
    const next = input[i + 1];
    return next !== undefined && next !== CR && next !== LF;
  }
  if (byte < SPACE || byte > 0x7e || byte === EQUALS) return false;
  if (column > 0) return true;
  // at the end of a part the rest of the word may come with the next one
  return byte !== DOT && !(byte === F && 'From '.startsWith(input.toString('latin1', i, i + 5)));
}

/** Encodes a text so that it can be joined with others. */
export function qpPart(text: string): QpPart {
  const encoded = isPlain(text) ? text : encodeQuotedPrintable(text);
  const firstBreak = encoded.indexOf('\r\n');
  if (firstBreak < 0) return { text: encoded, first: encoded.length, last: encoded.length, single: true };
  const last = encoded.length - (encoded.lastIndexOf('\r\n') + 2);
  return { text: encoded, first: firstBreak, last, single: false };
}

/** Short text in which every character may stay literal at any position in a line. */
function isPlain(text: string): boolean {
  return text.length < LINE && /^(?:[!--/-<>-EG-~](?:[ -<>-~]*[!-<>-~])?)?$/.test(text);
}

/** Joins parts to one quoted-printable text, with a soft line break wherever a line would grow too long. */
export class QpJoin {
  private joined = '';
  private column = 0;

  add(part: QpPart): void {
    if (this.column > 0 && this.column + part.first > LINE - 1) {
      this.joined += '=\r\n';
      this.column = 0;
    }
    this.joined += part.text;
    this.column = part.single ? this.column + part.last : part.last;
  }

  get text(): string {
    return this.joined;
  }
}
