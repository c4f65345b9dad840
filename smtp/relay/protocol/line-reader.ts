import { GrowingBuffer } from './growing-buffer';

const NUL = 0;
const LF = 10;
const CR = 13;

/** A line without its CRLF; only its beginning when it is `long`. */
export interface Line {
  bytes: Buffer;
  long: boolean;
}

/**
 * What was read: `next` is where the rest of the chunk begins. Null: the line goes on; `broken`: it has a bare CR or
 * LF, a NUL, or no end at all.
 */
export interface ReadLine {
  next: number;
  line: Line | 'broken' | null;
}

/** Octets after which a line without an end counts as broken. */
const HOPELESS = 64 * 1024;

/** Reads commands as lines that end with CRLF and nothing else (RFC 5321 section 2.3.8), from chunks of any size. */
export class LineReader {
  private readonly kept: GrowingBuffer;
  /** Octets of the line so far, without its CR. */
  private length = 0;
  private sawCr = false;

  /** `most` octets of a line are kept, without its CRLF. */
  constructor(private readonly most: number) {
    this.kept = new GrowingBuffer(most);
  }

  /** Reads from `from` to the end of the line or of the chunk. After `broken` the reader is of no more use. */
  read(chunk: Buffer, from: number): ReadLine {
    let next = from;
    if (this.sawCr && next < chunk.length) {
      if (chunk[next] !== LF) return { next, line: 'broken' };
      return { next: next + 1, line: this.end() };
    }
    while (next < chunk.length && chunk[next] !== CR && chunk[next] !== LF && chunk[next] !== NUL) next += 1;
    this.length += next - from;
    this.kept.append(chunk, from, Math.min(next, from + this.most - this.kept.length));
    if (this.length > HOPELESS) return { next, line: 'broken' };
    if (next === chunk.length) return { next, line: null };
    if (chunk[next] !== CR) return { next, line: 'broken' };
    this.sawCr = true;
    return next + 1 === chunk.length ? { next: next + 1, line: null } : this.read(chunk, next + 1);
  }

  private end(): Line {
    const long = this.length > this.most;
    this.sawCr = false;
    this.length = 0;
    return { bytes: this.kept.take(), long };
  }
}
