import type { GrowingBuffer } from './growing-buffer';

const NUL = 0;
const LF = 10;
const CR = 13;
const DOT = 46;

/** Where the reader stands in a line. */
const enum At {
  /** Before its first octet. */
  Start,
  /** Behind a dot that is its first octet. */
  Dot,
  /** Behind a dot and a CR. */
  DotCr,
  /** Behind a CR. */
  Cr,
  Text,
}

/** What is wrong with a mail. `broken`: a bare CR or LF, or a NUL; the others keep the connection in step. */
export type DataFault = 'broken' | 'large' | 'long';

const RANK: Readonly<Record<DataFault, number>> = { long: 0, large: 1, broken: 2 };

/**
 * Reads the content of a mail up to the one end it can have, CRLF.CRLF (RFC 5321 section 4.1.1.4), from chunks of any
 * size, and takes the dots away that were put before dots. A bare CR or LF is part of a line, so nothing that follows
 * one is ever taken for the end; such a mail is refused. Content of a refused mail is dropped.
 */
export class DataReader {
  /** The worst one so far. */
  fault: DataFault | null = null;
  /** Octets read, dropped ones too. */
  octets = 0;
  private at = At.Start;
  private lineLength = 0;
  /** Octets of content so far, dropped ones too. */
  private size = 0;

  /** Content goes into `content`. It may have `most` octets, and a line `longest` without its CRLF. */
  constructor(
    private readonly content: GrowingBuffer,
    private readonly limits: { most: number; longest: number },
  ) {}

  /** Reads from `from`. `next` is where the rest of the chunk begins; `ended`: the end of the mail is before it. */
  read(chunk: Buffer, from: number): { next: number; ended: boolean } {
    /** The first octet that is not in the content yet. */
    let kept = from;
    for (let i = from; i < chunk.length; i += 1) {
      const octet = chunk[i]!;
      if (octet > CR && this.at === At.Text) {
        this.lineLength += 1;
        continue;
      }
      const before = this.at;
      this.at = this.step(octet);
      if (before === At.DotCr && octet === LF) {
        this.octets += i + 1 - from;
        return { next: i + 1, ended: true };
      }
      // The dot at the start of a line is not content.
      if (this.at === At.Dot) {
        this.keep(chunk, kept, i);
        kept = i + 1;
      }
      // The CR of what may be the end is not content until it turns out to be a bare one, and then nothing is.
      if (this.at === At.DotCr) kept = i + 1;
    }
    this.keep(chunk, kept, chunk.length);
    this.octets += chunk.length - from;
    return { next: chunk.length, ended: false };
  }

  /** Where the next octet leads. */
  private step(octet: number): At {
    if (this.at === At.Cr && octet === LF) {
      this.endLine();
      return At.Start;
    }
    if (this.at === At.DotCr && octet === LF) return At.Start;
    if (this.at === At.Cr || this.at === At.DotCr) this.spoil('broken');
    if (octet === CR) return this.at === At.Dot ? At.DotCr : At.Cr;
    if (octet === LF || octet === NUL) this.spoil('broken');
    else if (octet === DOT && this.at === At.Start) return At.Dot;
    this.lineLength += 1;
    return At.Text;
  }

  private endLine(): void {
    if (this.lineLength > this.limits.longest) this.spoil('long');
    this.lineLength = 0;
  }

  private keep(chunk: Buffer, from: number, to: number): void {
    this.size += to - from;
    if (this.size > this.limits.most) this.spoil('large');
    else if (this.lineLength > this.limits.longest) this.spoil('long');
    if (this.fault === null) this.content.append(chunk, from, to);
  }

  private spoil(fault: DataFault): void {
    if (this.fault === null || RANK[fault] > RANK[this.fault]) this.fault = fault;
    this.content.take();
  }
}
