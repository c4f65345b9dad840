import type { Readable } from 'node:stream';

/** Bytes of headers, of the mail and its parts: a parser of addresses takes more than their length. */
export const MAX_HEADERS = 64 * 1024;

/** The stream is larger than allowed. */
export class TooLargeError extends Error {
  override readonly name = 'TooLargeError';
}

/**
 * Reads a stream to its end and returns its first `keep` bytes. Rejects with TooLargeError after more than `limit`
 * bytes, without reading further; rejects with the error of a stream that broke off.
 */
export async function readHead(stream: Readable, keep: number, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let kept = 0;
  let seen = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    seen += chunk.length;
    if (seen > limit) throw new TooLargeError(`More than ${limit} bytes`);
    if (kept < keep) {
      const part = chunk.subarray(0, keep - kept);
      chunks.push(part);
      kept += part.length;
    }
  }
  return Buffer.concat(chunks, kept);
}
