import { createGunzip, createInflateRaw, type Gunzip, type InflateRaw } from 'node:zlib';
import type { ReadingBudget } from './reading-budget';
import { ReportFault } from './report-fault';
import { firstZipEntry, isZip } from './zip-entry';

const isGzip = (bytes: Buffer): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

/** What a report is written in, by its first bytes; null for neither. */
export function formatOf(head: Buffer): 'xml' | 'json' | null {
  const first = /^(?:\xef\xbb\xbf)?\s*([<{])/.exec(head.toString('latin1', 0, 256))?.[1];
  return first === undefined ? null : first === '<' ? 'xml' : 'json';
}

/** True for bytes that may be a report, whatever their type is called. */
export const mayBeReport = (bytes: Buffer): boolean => isGzip(bytes) || isZip(bytes) || formatOf(bytes) !== null;

/**
 * The bytes of a report that came as gzip (RFC 1952), zip or as it is, in pieces, so that a large one is never whole in
 * memory. Throws ReportFault when they are broken, Overrun when they are more than the budget has.
 */
export async function* unpack(bytes: Buffer, budget: ReadingBudget): AsyncGenerator<Buffer> {
  if (isGzip(bytes)) yield* inflated(bytes, createGunzip(), budget);
  else if (!isZip(bytes)) yield bytes;
  else {
    const { method, data } = firstZipEntry(bytes);
    if (method === 'stored') yield data;
    else yield* inflated(data, createInflateRaw(), budget);
  }
}

async function* inflated(bytes: Buffer, stream: Gunzip | InflateRaw, budget: ReadingBudget): AsyncGenerator<Buffer> {
  let seen = 0;
  stream.end(bytes);
  try {
    for await (const piece of stream as AsyncIterable<Buffer>) {
      seen += piece.length;
      budget.unpacked(piece.length, seen, bytes.length);
      yield piece;
    }
  } catch (error) {
    throw error instanceof ReportFault ? error : new ReportFault('it cannot be unpacked');
  } finally {
    stream.destroy();
  }
}
