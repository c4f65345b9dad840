import type { IncomingMessage } from 'node:http';
import type { Shape, Source } from '../../schemas/normalize';
import { bodyFormat } from './body-format';
import type { BodyParser } from './body-parser';
import { hasBody, readBytes } from './read-bytes';

/** A request body before any rule is applied. */
export interface RequestBody {
  fields: object;
  source: Source;
}

const NOTHING: RequestBody = { fields: {}, source: 'json' };

/**
 * Reads a JSON or form body (docs/contract.md#request-bodies). A missing body has no fields. ApiError 400, 413, 415 or
 * 422 with a text for the caller.
 */
export async function readBody(req: IncomingMessage, parser: BodyParser, shape: Shape): Promise<RequestBody> {
  if (!hasBody(req)) return NOTHING;
  const source = bodyFormat(req);
  const bytes = await readBytes(req, source);
  return bytes.length === 0 ? NOTHING : { fields: await parser.parse(bytes, source, shape), source };
}
