import type { IncomingMessage } from 'node:http';
import type { Shape, Source } from '../../schemas/rules/normalize';
import { bodyFormat } from './body-format';
import type { BodyMemory } from './body-memory';
import type { BodyParser } from './body-parser';
import { hasBody, readBytes } from './read-bytes';

/** A request body before any rule is applied. */
export interface RequestBody {
  fields: object;
  source: Source;
}

const NOTHING: RequestBody = { fields: {}, source: 'json' };

/**
 * Reads a JSON or form body (docs/contract.md#request-bodies). A missing body has no fields. ApiError 400, 413, 415,
 * 422 or 503 with a text for the caller. The memory must be released once nothing of the body is in use any more.
 */
export async function readBody(
  req: IncomingMessage,
  { memory, parser, shape }: { memory: BodyMemory; parser: BodyParser; shape: Shape },
): Promise<RequestBody> {
  if (!hasBody(req)) return NOTHING;
  const source = bodyFormat(req);
  const bytes = await readBytes(req, { source, memory });
  if (bytes.length === 0) return NOTHING;
  await memory.process(req, bytes.length);
  try {
    return { fields: await parser.parse(bytes, source, shape), source };
  } finally {
    memory.parsed();
  }
}
