import { CsvReader, type CsvReaderOptions, type CsvRecord } from './csv-reader';
import {
  type CsvEncoding,
  type CsvFormat,
  type Delimiter,
  namedDelimiter,
  SNIFFED_BYTES,
  sniffEncoding,
  usedDelimiter,
} from './csv-format';

/** Bytes of the start of a file in which its header is looked for. */
const MAX_START = 65_536;

/** What is known of a file beforehand; the rest is found. `utf-16`: little-endian, unless its mark says otherwise. */
export interface GivenFormat {
  delimiter?: Delimiter | undefined;
  encoding?: CsvEncoding | 'utf-16' | undefined;
}

type Chunks = AsyncIterable<Buffer | string>;

/**
 * A CSV file of any spreadsheet. The encoding is found by a byte order mark, by the zeros of UTF-16, or by the first
 * line that is not ASCII; the delimiter (comma, semicolon or tab) by a line `sep=;` or by the header.
 */
export class CsvFile {
  private reader: CsvReader | null = null;
  private delimiter: Delimiter = ',';
  /** What the options or the first bytes say of the encoding. */
  private known: CsvEncoding | null = null;

  constructor(
    private readonly chunks: Chunks,
    private readonly given: GivenFormat = {},
  ) {}

  /** How the file is written, as far as it was read. */
  get format(): CsvFormat {
    return { delimiter: this.delimiter, encoding: this.known ?? this.reader?.encoding ?? 'utf-8' };
  }

  /** The records of each chunk; see CsvReader. Once a file. */
  async *records(): AsyncGenerator<CsvRecord[]> {
    let start = Buffer.alloc(0);
    for await (const bytes of this.decoded()) {
      if (this.reader) {
        yield this.reader.push(bytes);
        continue;
      }
      start = Buffer.concat([start, bytes]);
      if (start.length < MAX_START && !hasHeader(start)) continue;
      yield this.begin(start);
    }
    if (!this.reader) yield this.begin(start);
    yield this.reader!.end();
  }

  /** The bytes without a byte order mark, UTF-16 as UTF-8. */
  private async *decoded(): AsyncGenerator<Buffer> {
    const toUtf8 = async function* (chunks: AsyncIterable<Buffer>, encoding: string): AsyncGenerator<Buffer> {
      const decoder = new TextDecoder(encoding, { ignoreBOM: true });
      for await (const chunk of chunks) yield Buffer.from(decoder.decode(chunk, { stream: true }));
      yield Buffer.from(decoder.decode());
    };
    const { start, rest } = await startOf(this.chunks);
    const { encoding, mark } = this.encodingOf(start);
    this.known = encoding;
    const bytes = after(start.subarray(mark), rest);
    yield* isUtf16(encoding) ? toUtf8(bytes, encoding) : bytes;
  }

  private encodingOf(start: Buffer): { encoding: CsvEncoding | null; mark: number } {
    const { encoding: wanted } = this.given;
    const seen = sniffEncoding(start);
    if (wanted === undefined) return seen ?? { encoding: null, mark: 0 };
    const mark = seen?.mark ?? 0;
    if (wanted !== 'utf-16') return { encoding: wanted, mark: seen?.encoding === wanted ? mark : 0 };
    return seen?.encoding === 'utf-16be'
      ? seen
      : { encoding: 'utf-16le', mark: seen?.encoding === 'utf-16le' ? mark : 0 };
  }

  /** Reads the start, which has the header: `sep=;` is a line of the file, but no record. */
  private begin(start: Buffer): CsvRecord[] {
    const first = lineOf(start, 0);
    const named = namedDelimiter(first);
    const from = named === null ? 0 : Math.min(start.length, first.length + 1);
    this.delimiter = this.given.delimiter ?? named ?? usedDelimiter(lineOf(start, from));
    this.reader = new CsvReader({
      delimiter: this.delimiter,
      firstLine: named === null ? 1 : 2,
      ...this.readerEncoding(),
    });
    return this.reader.push(start.subarray(from));
  }

  private readerEncoding(): CsvReaderOptions {
    if (this.known === null) return {};
    return isUtf16(this.known) ? { encoding: 'utf-8', fromUtf16: true } : { encoding: this.known };
  }
}

const isUtf16 = (encoding: CsvEncoding | null): encoding is 'utf-16le' | 'utf-16be' =>
  encoding === 'utf-16le' || encoding === 'utf-16be';

/** The first bytes of the chunks, and what follows them. */
async function startOf(chunks: Chunks): Promise<{ start: Buffer; rest: AsyncIterator<Buffer | string> }> {
  const rest = chunks[Symbol.asyncIterator]();
  let start = Buffer.alloc(0);
  while (start.length < SNIFFED_BYTES) {
    const next = await rest.next();
    if (next.done) break;
    start = Buffer.concat([start, Buffer.from(next.value as Buffer)]);
  }
  return { start, rest };
}

async function* after(start: Buffer, rest: AsyncIterator<Buffer | string>): AsyncGenerator<Buffer> {
  try {
    yield start;
    for (let next = await rest.next(); !next.done; next = await rest.next()) {
      yield typeof next.value === 'string' ? Buffer.from(next.value) : next.value;
    }
  } finally {
    await rest.return?.();
  }
}

/** True once the start holds `sep=;` and a line behind it, or a line. */
function hasHeader(start: Buffer): boolean {
  const first = lineOf(start, 0);
  if (first.length === start.length) return false;
  return namedDelimiter(first) === null || start.indexOf(LF, first.length + 1) >= 0;
}

const LF = 0x0a;
const CR = 0x0d;
const QUOTE = 0x22;

/**
 * The line from a place on, without its LF or CR alone, as latin1: one character a byte. Line breaks in quotes belong
 * to it.
 */
function lineOf(bytes: Buffer, from: number): string {
  let quoted = false;
  for (let at = from; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) quoted = !quoted;
    else if (!quoted && (byte === LF || (byte === CR && bytes[at + 1] !== LF)))
      return bytes.toString('latin1', from, at);
  }
  return bytes.toString('latin1', from);
}
