import type { IncomingMessage } from 'node:http';
import { ApiError } from '../errors';
import { bodyFormat } from '../http/body-format';
import { parseJson } from '../http/parse-json';
import { hasBody } from '../http/read-bytes';
import type { Input } from '../../operations/definition';

/** Bytes of a body: a mail of 500,000 characters, each of which may be escaped. */
const MAX_BODY = 6 * 1024 * 1024;

const tooLarge = (): ApiError => new ApiError('body_too_large', { text: 'The request body must not exceed 6 MB.' });

/** Reads the input of an operation; no body is an empty one. Throws ApiError 400, 413, 415 and 422. */
export async function readInput(req: IncomingMessage): Promise<Input> {
  if (Number(req.headers['content-length'] ?? 0) > MAX_BODY) throw tooLarge();
  if (!hasBody(req)) return {};
  if (bodyFormat(req) !== 'json')
    throw new ApiError('unsupported_media_type', { text: 'The Content-Type must be application/json.' });
  if ((req.headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new ApiError('unsupported_media_type', { text: 'The request body must not have a Content-Encoding.' });
  const chunks: Buffer[] = [];
  let length = 0;
  // Not destroyed at the limit: the answer goes out on the same connection.
  for await (const chunk of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_BODY) throw tooLarge();
    chunks.push(chunk);
  }
  return length === 0 ? {} : (parseJson(Buffer.concat(chunks)) as Input);
}
