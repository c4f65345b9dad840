import { isUtf8 } from 'node:buffer';

/** A record of a CSV file: its cells, or why it cannot be read. */
export type CsvRecord = { line: number; cells: string[] } | { line: number; fault: string };

/** Bytes of the longest record that is read; a longer one is refused without being held in memory. */
export const MAX_RECORD_BYTES = 1_048_576;

const QUOTE = 0x22;
const COMMA = 0x2c;
const CR = 0x0d;
const LF = 0x0a;

/** Where the reader is in a cell. `closed` is behind the closing quote. */
type Place = 'start' | 'plain' | 'quoted' | 'closed';

/**
 * Reads CSV by RFC 4180 from chunks of bytes: UTF-8, a line break is CRLF, LF or CR, also inside quotes. Each record
 * carries the line of the file on which it begins, from 1. Empty lines are skipped. A record that is malformed, too long
 * or not UTF-8 is a fault, and ends at its line break, so that one bad line costs no other. Memory is bounded by the
 * longest record (docs/decisions/0045-csv-is-read-by-a-reader-of-our-own.md).
 */
export class CsvReader {
  private place: Place = 'start';
  /** Line of the byte that is read next, and of the first byte of the record. */
  private line = 1;
  private first = 1;
  private afterCr = false;
  /** The bytes of the record from earlier chunks. */
  private head: Buffer[] = [];
  private headBytes = 0;
  /** Where the cells end, and whether they are quoted, counted from the begin of the record. */
  private ends: number[] = [];
  private fault: string | null = null;
  private quoteLine = 0;
  private isOver = false;

  constructor(private readonly maxBytes = MAX_RECORD_BYTES) {}

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
        if (this.place === 'quoted') continue;
        // The LF of a CRLF, whose CR has ended the record.
        if (second && this.isEmpty(at - begin)) begin = at + 1;
        else begin = this.endRecord(records, chunk, begin, at);
        continue;
      }
      this.afterCr = false;
      if (byte === QUOTE || byte === COMMA || this.place === 'start' || this.place === 'closed')
        this.step(byte, at - begin);
    }
    this.keep(chunk, begin);
    return records;
  }

  /** The last record, when the file does not end with a line break. */
  end(): CsvRecord[] {
    const records: CsvRecord[] = [];
    this.isOver = true;
    if (this.place === 'quoted')
      this.fault ??= `A quote opens on line ${this.quoteLine} and is not closed before the end of the file.`;
    if (!this.isEmpty(0)) this.endRecord(records, Buffer.alloc(0), 0, 0);
    return records;
  }

  private isEmpty(bytes: number): boolean {
    return bytes === 0 && this.headBytes === 0;
  }

  /** Reads a byte that may change the place: `at` counts from the begin of what this chunk holds of the record. */
  private step(byte: number, at: number): void {
    if (byte === COMMA && this.place !== 'quoted') return this.endCell(at);
    const isQuote = byte === QUOTE;
    switch (this.place) {
      case 'start':
        this.place = isQuote ? 'quoted' : 'plain';
        if (isQuote) this.quoteLine = this.line;
        return;
      case 'plain':
        if (isQuote) this.fault ??= 'A quote stands inside a cell that does not begin with one.';
        return;
      case 'quoted':
        if (isQuote) this.place = 'closed';
        return;
      case 'closed':
        if (!isQuote) this.fault ??= `Something follows the closing quote of a cell${this.since()}.`;
        this.place = isQuote ? 'quoted' : 'plain';
    }
  }

  /** A misplaced quote may take in whole lines: the report says which. */
  private since(): string {
    return this.line > this.quoteLine ? `, which takes in lines ${this.quoteLine} to ${this.line}` : '';
  }

  private endCell(at: number): void {
    if (this.headBytes <= this.maxBytes) this.ends.push(this.headBytes + at);
    this.place = 'start';
  }

  private endRecord(records: CsvRecord[], chunk: Buffer, begin: number, end: number): number {
    if (!this.isEmpty(end - begin)) {
      this.endCell(end - begin);
      records.push(this.record(chunk.subarray(begin, end)));
    }
    this.place = 'start';
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
      return { line, fault: `The line is longer than ${this.maxBytes} bytes${this.range()}.` };
    }
    const bytes = this.head.length === 0 ? tail : Buffer.concat([...this.head, tail]);
    if (bytes.includes(0)) return { line, fault: 'The line holds a NUL byte.' };
    if (!isUtf8(bytes)) return { line, fault: 'The line is not UTF-8. Save the file as UTF-8.' };
    if (this.fault !== null) return { line, fault: this.fault };
    let from = 0;
    const cells = this.ends.map((end) => {
      const cell = cellText(bytes, from, end);
      from = end + 1;
      return cell;
    });
    return { line, cells };
  }

  /** The line break that ends the record is counted already. */
  private range(): string {
    const last = this.isOver ? this.line : this.line - 1;
    return last > this.first ? ` (lines ${this.first} to ${last})` : '';
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

function cellText(bytes: Buffer, from: number, end: number): string {
  if (bytes[from] !== QUOTE || from === end) return bytes.toString('utf8', from, end);
  const text = bytes.toString('utf8', from + 1, end - 1);
  return text.includes('"') ? text.replaceAll('""', '"') : text;
}
