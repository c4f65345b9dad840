import { isAscii, isUtf8 } from 'node:buffer';
import { reasonsOf, type Reason } from '../reason';
import type { Delimiter } from './csv-format';
import { decodeWindows1252 } from './windows-1252';

/** A record of a CSV file: its cells, or why it cannot be read. */
export type CsvRecord = { line: number; cells: string[] } | { line: number; fault: Reason };

/** Bytes of the longest record that is read; a longer one is refused without being held in memory. */
export const MAX_RECORD_BYTES = 1_048_576;

const fault = reasonsOf({
  open_quote: [
    'A quote opens on line {line} and is not closed by the end of the file.',
    'Tanda kutip dibuka di baris {line} dan tidak ditutup sampai akhir file.',
  ],
  inner_quote: [
    'A quote is inside a cell that does not start with one.',
    'Ada tanda kutip di dalam sel yang tidak diawali tanda kutip.',
  ],
  trailing: ['There is text after the closing quote of a cell.', 'Ada sesuatu setelah tanda kutip penutup sebuah sel.'],
  trailing_lines: [
    'There is text after the closing quote of a cell on lines {from} to {to}.',
    'Ada sesuatu setelah tanda kutip penutup sebuah sel, yang mencakup baris {from} sampai {to}.',
  ],
  long: ['The line is longer than {most} bytes.', 'Baris ini lebih panjang dari {most} byte.'],
  long_lines: [
    'The line is longer than {most} bytes (lines {from} to {to}).',
    'Baris ini lebih panjang dari {most} byte (baris {from} sampai {to}).',
  ],
  nul: ['The line contains a NUL byte.', 'Baris ini berisi byte NUL.'],
  mixed: [
    'The line is UTF-8, but the file is Windows-1252. Save it in one encoding.',
    'Baris ini UTF-8, padahal file ini Windows-1252. Simpan dengan satu encoding saja.',
  ],
  not_utf8: ['The line is not UTF-8. Save the file as UTF-8.', 'Baris ini bukan UTF-8. Simpan file ini sebagai UTF-8.'],
  utf16: ['The line contains a damaged UTF-16 character.', 'Baris ini berisi karakter UTF-16 yang rusak.'],
});

const QUOTE = 0x22;
const CR = 0x0d;
const LF = 0x0a;

/** Where the reader is in a cell. `closed` is behind the closing quote. */
type CellState = 'start' | 'plain' | 'quoted' | 'closed';

export interface CsvReaderOptions {
  /** Default: a comma. */
  delimiter?: Delimiter;
  /** Default: what the first record that is not ASCII is written in. A record in the other encoding is a fault. */
  encoding?: 'utf-8' | 'windows-1252';
  /** A replacement character is a fault: the bytes were UTF-16, and one of their characters was damaged. */
  fromUtf16?: boolean;
  /** The line of the file on which the bytes begin; default: 1. */
  firstLine?: number;
  maxBytes?: number;
}

const REPLACEMENT = Buffer.from('\ufffd');

/**
 * Reads CSV by RFC 4180 from chunks of bytes: a line break is CRLF, LF or CR, also inside quotes. Each record carries
 * the line of the file on which it begins. Empty lines are skipped. A record that is malformed, too long or not in the
 * encoding of the file is a fault, and ends at its line break, so that one bad line costs no other. Memory is bounded
 * by the longest record (docs/decisions/0045-kurir-reads-csv-itself.md).
 */
export class CsvReader {
  private state: CellState = 'start';
  /** Line of the byte that is read next, and of the first byte of the record. */
  private line: number;
  private first: number;
  private afterCr = false;
  /** The bytes of the record from earlier chunks. */
  private head: Buffer[] = [];
  private headBytes = 0;
  /** Where the cells end, and whether they are quoted, counted from the begin of the record. */
  private ends: number[] = [];
  private fault: Reason | null = null;
  private quoteLine = 0;
  private isOver = false;
  private readonly delimiter: number;
  private readonly maxBytes: number;
  private readonly fromUtf16: boolean;
  private readonly isGiven: boolean;
  private found: 'utf-8' | 'windows-1252' | null;

  constructor(options: CsvReaderOptions = {}) {
    const { delimiter = ',', encoding = null, fromUtf16 = false, firstLine = 1, maxBytes = MAX_RECORD_BYTES } = options;
    this.delimiter = delimiter.charCodeAt(0);
    this.found = encoding;
    this.isGiven = encoding !== null;
    this.fromUtf16 = fromUtf16;
    this.line = firstLine;
    this.first = firstLine;
    this.maxBytes = maxBytes;
  }

  /** The encoding of the records so far; UTF-8 while all are ASCII. */
  get encoding(): 'utf-8' | 'windows-1252' {
    return this.found ?? 'utf-8';
  }

  /** The records that this chunk completes. */
  push(chunk: Buffer): CsvRecord[] {
    const records: CsvRecord[] = [];
    let begin = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at]!;
      if (byte === LF || byte === CR) {
        const second = byte === LF && this.afterCr;
        this.afterCr = byte === CR;
        if (!second) this.line += 1;
        if (this.state === 'quoted') continue;
        // The LF of a CRLF, whose CR has ended the record.
        if (second && this.isEmpty(at - begin)) begin = at + 1;
        else begin = this.endRecord(records, chunk, begin, at);
        continue;
      }
      this.afterCr = false;
      if (byte === QUOTE || byte === this.delimiter || this.state === 'start' || this.state === 'closed')
        this.step(byte, at - begin);
    }
    this.keep(chunk, begin);
    return records;
  }

  /** The last record, when the file does not end with a line break. */
  end(): CsvRecord[] {
    const records: CsvRecord[] = [];
    this.isOver = true;
    if (this.state === 'quoted') this.fault ??= fault('open_quote', { line: this.quoteLine });
    if (!this.isEmpty(0)) this.endRecord(records, Buffer.alloc(0), 0, 0);
    return records;
  }

  private isEmpty(bytes: number): boolean {
    return bytes === 0 && this.headBytes === 0;
  }

  /** Reads a byte that may change the state: `at` counts from the begin of what this chunk holds of the record. */
  private step(byte: number, at: number): void {
    if (byte === this.delimiter && this.state !== 'quoted') return this.endCell(at);
    const isQuote = byte === QUOTE;
    switch (this.state) {
      case 'start':
        this.state = isQuote ? 'quoted' : 'plain';
        if (isQuote) this.quoteLine = this.line;
        return;
      case 'plain':
        if (isQuote) this.fault ??= fault('inner_quote');
        return;
      case 'quoted':
        if (isQuote) this.state = 'closed';
        return;
      case 'closed':
        if (!isQuote) this.fault ??= this.trailing();
        this.state = isQuote ? 'quoted' : 'plain';
    }
  }

  /** A misplaced quote may take in whole lines: the report says which. */
  private trailing(): Reason {
    const { line: to, quoteLine: from } = this;
    return to > from ? fault('trailing_lines', { from, to }) : fault('trailing');
  }

  private endCell(at: number): void {
    if (this.headBytes <= this.maxBytes) this.ends.push(this.headBytes + at);
    this.state = 'start';
  }

  private endRecord(records: CsvRecord[], chunk: Buffer, begin: number, end: number): number {
    if (!this.isEmpty(end - begin)) {
      this.endCell(end - begin);
      records.push(this.record(chunk.subarray(begin, end)));
    }
    this.state = 'start';
    this.head = [];
    this.headBytes = 0;
    this.ends = [];
    this.fault = null;
    this.first = this.line;
    return end + 1;
  }

  private record(tail: Buffer): CsvRecord {
    const line = this.first;
    if (this.headBytes + tail.length > this.maxBytes) {
      return { line, fault: this.tooLong() };
    }
    const bytes = this.head.length === 0 ? tail : Buffer.concat([...this.head, tail]);
    if (bytes.includes(0)) return { line, fault: fault('nul') };
    const wrong = this.encodingFault(bytes) ?? this.fault;
    if (wrong !== null) return { line, fault: wrong };
    let from = 0;
    const cells = this.ends.map((end) => {
      const cell = this.cellText(bytes, from, end);
      from = end + 1;
      return cell;
    });
    return { line, cells };
  }

  /**
   * The first record that is not ASCII tells the encoding of the file: text in Windows-1252 is never UTF-8 by chance.
   */
  private encodingFault(bytes: Buffer): Reason | null {
    if (isAscii(bytes)) return null;
    const utf8 = isUtf8(bytes);
    this.found ??= utf8 ? 'utf-8' : 'windows-1252';
    if (this.found === 'windows-1252') {
      return utf8 && !this.isGiven ? fault('mixed') : null;
    }
    if (!utf8) return fault('not_utf8');
    return this.fromUtf16 && bytes.includes(REPLACEMENT) ? fault('utf16') : null;
  }

  private cellText(bytes: Buffer, from: number, end: number): string {
    const quoted = bytes[from] === QUOTE && from !== end;
    const cell = quoted ? bytes.subarray(from + 1, end - 1) : bytes.subarray(from, end);
    const text = this.found === 'windows-1252' ? decodeWindows1252(cell) : cell.toString('utf8');
    return quoted && text.includes('"') ? text.replaceAll('""', '"') : text;
  }

  /** The line break that ends the record is counted already. */
  private tooLong(): Reason {
    const to = this.isOver ? this.line : this.line - 1;
    const { first: from, maxBytes: most } = this;
    return to > from ? fault('long_lines', { most, from, to }) : fault('long', { most });
  }

  /** Keeps what this chunk holds of a record; nothing of one that is too long already. */
  private keep(chunk: Buffer, begin: number): void {
    const rest = chunk.length - begin;
    if (rest === 0) return;
    this.headBytes += rest;
    if (this.headBytes <= this.maxBytes) this.head.push(chunk.subarray(begin));
    else [this.head, this.ends] = [[], []];
  }
}
