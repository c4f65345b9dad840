import { readHeaderFields, type HeaderFields } from './header-fields';
import { readStructured, type StructuredValue } from './structured-value';
import { unusable } from './unreadable-mail';

/** Header lines of the mail and of its parts together; each line of a folded field counts. */
const MAX_HEADER_LINES = 1_000;
const MAX_LEVELS = 50;
const MAX_PARTS = 1_000;
/** RFC 2046 allows 70; some mailers write more. */
const LONGEST_BOUNDARY = 250;
const [LF, CR, DASH] = [0x0a, 0x0d, 0x2d];
const DELIMITER = Buffer.from('\n--');

/** A mail, or a part of one. */
export interface MailPart {
  fields: HeaderFields;
  type: StructuredValue;
  disposition: StructuredValue;
  /** As sent: its transfer encoding is not undone. Empty for a multipart. */
  body: Buffer;
  /** Null for a part that is no multipart. A message within a part is not looked into. */
  children: MailPart[] | null;
}

/**
 * Finds the parts of a mail, without reading what is in them. Throws UnreadableMail for a multipart without a boundary
 * and beyond the limits. Linear in the length.
 */
export function outlineMail(content: Buffer): MailPart {
  return new Outliner(content).outline();
}

interface Open {
  part: MailPart;
  children: MailPart[];
  boundary: string;
}

interface Delimiter {
  /** The index of the multipart it belongs to. */
  level: number;
  closes: boolean;
  start: number;
  end: number;
}

class Outliner {
  private at = 0;
  private lines = 0;
  private parts = 0;
  /** The multiparts around the current place, outermost first. */
  private readonly open: Open[] = [];

  constructor(private readonly content: Buffer) {}

  outline(): MailPart {
    const root = this.readPart('text/plain');
    for (let leaf: MailPart | null = root; ;) {
      const start = this.at;
      const delimiter = this.nextDelimiter();
      if (leaf?.children === null) leaf.body = this.content.subarray(start, this.bodyEnd(start, delimiter));
      if (!delimiter) return root;
      this.at = delimiter.end;
      this.open.length = delimiter.level + (delimiter.closes ? 0 : 1);
      leaf = delimiter.closes ? null : this.readChild(this.open.at(-1)!);
    }
  }

  private readChild(parent: Open): MailPart {
    if (++this.parts > MAX_PARTS) throw unusable(`The mail has more than ${MAX_PARTS} parts.`);
    if (this.open.length > MAX_LEVELS)
      throw unusable(`The parts of the mail are nested deeper than ${MAX_LEVELS} levels.`);
    const child = this.readPart(parent.part.type.value === 'multipart/digest' ? 'message/rfc822' : 'text/plain');
    parent.children.push(child);
    return child;
  }

  /** Reads the header at the current place. Where a field is given twice, the first counts. */
  private readPart(defaultType: string): MailPart {
    const fields = readHeaderFields(this.readHeader());
    const type = readStructured(fields.get('content-type')?.[0] ?? defaultType);
    const disposition = readStructured(fields.get('content-disposition')?.[0] ?? '');
    const part: MailPart = { fields, type, disposition, body: this.content.subarray(0, 0), children: null };
    if (type.value.startsWith('multipart/')) {
      part.children = [];
      this.open.push({ part, children: part.children, boundary: boundaryOf(type) });
    }
    return part;
  }

  /** Up to an empty line, or a delimiter in its place. */
  private readHeader(): Buffer {
    const start = this.at;
    for (;;) {
      const lineStart = this.at;
      const lineEnd = this.lineEnd(lineStart);
      if (lineEnd === lineStart || this.delimiterAt(lineStart)) return this.content.subarray(start, lineStart);
      this.at = lineEnd;
      if (this.textEnd(lineStart, lineEnd) === lineStart) return this.content.subarray(start, lineStart);
      if (++this.lines > MAX_HEADER_LINES) throw unusable(`The mail has more than ${MAX_HEADER_LINES} header lines.`);
    }
  }

  private nextDelimiter(): Delimiter | null {
    if (this.open.length === 0) return null;
    for (let start = this.at; start < this.content.length;) {
      const found = this.delimiterAt(start);
      if (found) return found;
      const next = this.content.indexOf(DELIMITER, start);
      if (next < 0) return null;
      start = next + 1;
    }
    return null;
  }

  /** The delimiter that this line is. An inner multipart comes before an outer one with the same boundary. */
  private delimiterAt(start: number): Delimiter | null {
    if (this.open.length === 0 || this.content[start] !== DASH || this.content[start + 1] !== DASH) return null;
    const end = this.lineEnd(start);
    // Only a short line is looked at whole: a boundary, the dashes, and white space that was added on the way.
    const line = this.content.toString('latin1', start + 2, Math.min(end, start + 2 * LONGEST_BOUNDARY)).trimEnd();
    for (let level = this.open.length - 1; level >= 0; level--) {
      const { boundary } = this.open[level]!;
      if (line === boundary) return { level, closes: false, start, end };
      if (line.length === boundary.length + 2 && line === `${boundary}--`) return { level, closes: true, start, end };
    }
    return null;
  }

  /** The line end before a delimiter belongs to the delimiter. */
  private bodyEnd(start: number, delimiter: Delimiter | null): number {
    return delimiter ? this.textEnd(start, Math.max(start, delimiter.start)) : this.content.length;
  }

  private lineEnd(from: number): number {
    const lf = this.content.indexOf(LF, from);
    return lf < 0 ? this.content.length : lf + 1;
  }

  /** The end of a text without one line end after it. */
  private textEnd(start: number, end: number): number {
    if (end === start || this.content[end - 1] !== LF) return end;
    return end - 1 > start && this.content[end - 2] === CR ? end - 2 : end - 1;
  }
}

/** As the bytes of a line: Latin-1. */
function boundaryOf(type: StructuredValue): string {
  const boundary = Buffer.from(type.params.get('boundary') ?? '')
    .toString('latin1')
    .trimEnd();
  if (boundary === '') throw unusable('A multipart Content-Type of the mail has no boundary.');
  if (boundary.length > LONGEST_BOUNDARY) throw unusable('The boundary of a multipart is too long.');
  return boundary;
}
