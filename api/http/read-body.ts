import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { releaseBytes } from '../../lib/release-bytes';
import type { Source } from '../../schemas/normalize';
import { ApiError } from '../errors';
import { bodyFormat } from './body-format';
import { SMALL_BODY, type BodyMemory } from './body-memory';
import { parseForm } from './parse-form';
import { parseJson } from './parse-json';
import { hasBody, readBytes } from './read-bytes';

/** A request body before any rule is applied. */
export interface RequestBody {
  fields: object;
  source: Source;
}

const NOTHING: RequestBody = { fields: {}, source: 'json' };

/**
 * Reads a JSON or form body (docs/contract.md#request-bodies). A missing body has no fields. ApiError 400, 413, 415, 422
 * or 503 with a text for the caller. The memory must be released once nothing of the body is in use any more.
 */
export async function readBody(req: IncomingMessage, memory: BodyMemory): Promise<RequestBody> {
  if (!hasBody(req)) return NOTHING;
  const source = bodyFormat(req);
  const bytes = await readBytes(req, memory);
  if (bytes.length === 0) return NOTHING;
  await memory.process(req, bytes.length);
  try {
    return { fields: parse(bytes, source), source };
  } finally {
    if (bytes.length > SMALL_BODY) releaseBytes([bytes]);
    memory.parsed();
  }
}

function parse(bytes: Buffer, source: Source): object {
  if (!isUtf8(bytes)) throw new ApiError('malformed_body', { text: 'The request body is not valid UTF-8.' });
  return source === 'json' ? parseJson(bytes) : parseForm(bytes.toString('utf8'), 'body');
}
