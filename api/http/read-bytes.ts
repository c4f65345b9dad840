import type { IncomingMessage } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Source } from '../../schemas/rules/normalize';
import { ApiError } from '../errors';
import type { BodyMemory } from './body-memory';

/** Maximum sizes of a request body, before and after decompression (docs/contract.md#request-bodies). */
const MAX_BYTES: Readonly<Record<Source, number>> = { json: 20 * 1024 * 1024, form: 4 * 1024 * 1024 };

/** Size of the buffer for a body of unknown size, until it needs more. */
const FIRST_BYTES = 16 * 1024;

const ENDED_EARLY = 'The request body ended early.';

/** What is known of a body before it is read. */
interface Expected {
  source: Source;
  memory: BodyMemory;
}

/** Each chunk is a turn of the event loop, of which a body of 20 MB would need more than a thousand. */
const chunkSize = 128 * 1024;
const DECODERS: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ['gzip', () => createGunzip({ chunkSize })],
  ['x-gzip', () => createGunzip({ chunkSize })],
  ['deflate', () => createInflate({ chunkSize })],
  ['br', () => createBrotliDecompress({ chunkSize })],
]);

/** True when a request has a body, even one that turns out empty. */
export function hasBody(req: IncomingMessage): boolean {
  return req.headers['transfer-encoding'] !== undefined || (req.headers['content-length'] ?? '0') !== '0';
}

/**
 * Reads the whole body, decompressed. ApiError 413 above the limit (reading stops there), 415 for an unknown
 * Content-Encoding, 400 for data that does not decompress or ends early, 503 when there is no memory for it now: for a
 * declared size before any of it is read. Throws what is known at once.
 */
export function readBytes(req: IncomingMessage, body: Expected): Buffer | Promise<Buffer> {
  const encoding = (req.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  const declared = Number(req.headers['content-length'] ?? 0);
  if (declared > MAX_BYTES[body.source]) throw tooLarge(body.source);
  const isEncoded = encoding !== 'identity' && encoding !== '';
  const decoder = isEncoded ? DECODERS.get(encoding)?.() : null;
  if (decoder === undefined) {
    throw new ApiError('unsupported_media_type', {
      text: 'The Content-Encoding must be gzip, deflate, br or identity.',
    });
  }
  // The bytes of most bodies came with their headers.
  if (!decoder && req.complete) return readArrived(req, body);
  return readLater(req, decoder, { ...body, declared });
}

async function readLater(
  req: IncomingMessage,
  decoder: Transform | null,
  body: Expected & { declared: number },
): Promise<Buffer> {
  await body.memory.reserve(req, body.declared);
  return decoder ? readDecoded(req, decoder, body) : readStream(req, body, ENDED_EARLY);
}

/** A body that has arrived as a whole: within one read of the socket. */
function readArrived(req: IncomingMessage, { source, memory }: Expected): Buffer {
  const bytes = (req.read() as Buffer | null) ?? Buffer.alloc(0);
  if (bytes.length > MAX_BYTES[source]) throw tooLarge(source);
  memory.count(bytes.length);
  return bytes;
}

async function readDecoded(req: IncomingMessage, decoder: Transform, body: Expected): Promise<Buffer> {
  const { source } = body;
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
    return await readStream(decoder, { ...body, declared: 0 }, 'The request body does not decompress.');
  } finally {
    req.off('data', count).off('close', cutOff).unpipe(decoder);
    decoder.destroy();
  }
}

/**
 * The bytes of the stream, of which `declared` are expected (0: unknown). They are copied into one buffer as they come:
 * a list of chunks would take their memory twice.
 */
function readStream(
  stream: Readable,
  { source, memory, declared }: Expected & { declared: number },
  otherwise: string,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const body = new GrowingBuffer(declared || FIRST_BYTES, MAX_BYTES[source]);
    const settle = (error: ApiError | null): void => {
      stream.off('data', onData).off('end', onEnd).off('error', onError).off('aborted', onCut).off('close', onCut);
      if (!error) return resolve(body.bytes);
      stream.pause();
      reject(error);
    };
    const onData = (chunk: Buffer): void => {
      if (body.length + chunk.length > MAX_BYTES[source]) return settle(tooLarge(source));
      try {
        memory.count(chunk.length);
      } catch (error) {
        return settle(error as ApiError);
      }
      body.append(chunk);
    };
    const onEnd = (): void => settle(null);
    const onCut = (): void => settle(endedEarly());
    const onError = (error: NodeJS.ErrnoException): void => {
      if (error instanceof ApiError) settle(error);
      else settle(error.code === 'ECONNRESET' ? endedEarly() : new ApiError('malformed_body', { text: otherwise }));
    };
    stream.on('data', onData).once('end', onEnd).once('error', onError).once('aborted', onCut).once('close', onCut);
    // It may have ended while memory was awaited; it then emits nothing more.
    if (stream.destroyed) onCut();
  });
}

/** What is larger gets room for the largest body at once. */
const COPIED_AT_MOST = 1024 * 1024;

/**
 * Bytes appended to one buffer, which doubles when it is full. Past 1 MB it is not copied any more: that would hold up
 * everybody, and memory that nothing was written to costs nothing.
 */
class GrowingBuffer {
  private buffer: Buffer;
  length = 0;

  constructor(
    size: number,
    private readonly limit: number,
  ) {
    this.buffer = Buffer.allocUnsafe(size);
  }

  get bytes(): Buffer {
    return this.buffer.subarray(0, this.length);
  }

  append(chunk: Buffer): void {
    const needed = this.length + chunk.length;
    if (needed > this.buffer.length) {
      const size = needed > COPIED_AT_MOST ? this.limit : Math.max(2 * this.buffer.length, needed);
      const larger = Buffer.allocUnsafe(Math.min(size, this.limit));
      this.buffer.copy(larger, 0, 0, this.length);
      this.buffer = larger;
    }
    chunk.copy(this.buffer, this.length);
    this.length = needed;
  }
}

function tooLarge(source: Source): ApiError {
  return new ApiError('body_too_large', source === 'form' ? { text: 'A form must not be greater than 4 MB.' } : {});
}

function endedEarly(): ApiError {
  return new ApiError('malformed_body', { text: ENDED_EARLY });
}
