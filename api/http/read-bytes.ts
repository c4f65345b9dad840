import type { IncomingMessage } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import readRaw from 'raw-body';
import type { Source } from '../../schemas/normalize';
import { ApiError } from '../errors';

/** Maximum sizes of a request body, before and after decompression (docs/contract.md#request-bodies). */
const MAX_BYTES: Readonly<Record<Source, number>> = { json: 20 * 1024 * 1024, form: 4 * 1024 * 1024 };

const ENDED_EARLY = 'The request body ended early.';

const DECODERS: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/** True when a request has a body, even one that turns out empty. */
export function hasBody(req: IncomingMessage): boolean {
  return req.headers['transfer-encoding'] !== undefined || (req.headers['content-length'] ?? '0') !== '0';
}

/**
 * Reads the whole body, decompressed. ApiError 413 above the limit (reading stops there), 415 for an unknown
 * Content-Encoding, 400 for data that does not decompress or ends early.
 */
export async function readBytes(req: IncomingMessage, source: Source): Promise<Buffer> {
  const encoding = (req.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (Number(req.headers['content-length'] ?? 0) > MAX_BYTES[source]) throw tooLarge(source);
  if (encoding === 'identity' || encoding === '') return readStream(req, source, ENDED_EARLY);
  const decoder = DECODERS.get(encoding)?.();
  if (!decoder) {
    throw new ApiError('unsupported_media_type', {
      text: 'The Content-Encoding must be gzip, deflate, br or identity.',
    });
  }
  return readDecoded(req, source, decoder);
}

async function readDecoded(req: IncomingMessage, source: Source, decoder: Transform): Promise<Buffer> {
  let received = 0;
  const count = (chunk: Buffer): void => {
    received += chunk.length;
    if (received > MAX_BYTES[source]) decoder.destroy(tooLarge(source));
  };
  const cutOff = (): void => {
    if (!req.complete) decoder.destroy(endedEarly());
  };
  // An error without a listener would end the process; readStream listens only until it has its result.
  decoder.on('error', () => {});
  req.on('data', count).once('close', cutOff);
  // Not `pipeline`: it would destroy the request and its connection before the response.
  req.pipe(decoder);
  try {
    return await readStream(decoder, source, 'The request body does not decompress.');
  } finally {
    req.off('data', count).off('close', cutOff).unpipe(decoder);
    decoder.destroy();
  }
}

async function readStream(stream: Readable, source: Source, otherwise: string): Promise<Buffer> {
  try {
    return await readRaw(stream, { limit: MAX_BYTES[source] });
  } catch (error) {
    if (error instanceof ApiError) throw error;
    const type = (error as { type?: string }).type;
    if (type === 'entity.too.large') throw tooLarge(source);
    throw type?.startsWith('request.') ? endedEarly() : new ApiError('malformed_body', { text: otherwise });
  }
}

function tooLarge(source: Source): ApiError {
  return new ApiError('body_too_large', source === 'form' ? { text: 'A form must not be greater than 4 MB.' } : {});
}

function endedEarly(): ApiError {
  return new ApiError('malformed_body', { text: ENDED_EARLY });
}
