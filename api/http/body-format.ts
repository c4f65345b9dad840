import type { IncomingMessage } from 'node:http';
import { ApiError } from '../errors';
import type { Source } from '../../schemas/rules/normalize';

const FORMATS: ReadonlyMap<string, Source> = new Map([
  ['application/json', 'json'],
  ['application/x-www-form-urlencoded', 'form'],
]);
const CHARSET = /;\s*charset\s*=\s*"?([^";\s]+)/i;

/**
 * JSON or form, by Content-Type (docs/contract.md#request-bodies); 415 for another type, none, or a charset that is not
 * UTF-8.
 */
export function bodyFormat(req: IncomingMessage): Source {
  const header = req.headers['content-type'] ?? '';
  const format = FORMATS.get(header) ?? FORMATS.get(header.split(';', 1)[0]!.trim().toLowerCase());
  if (!format) {
    throw new ApiError('unsupported_media_type', {
      text: 'The Content-Type must be application/json or application/x-www-form-urlencoded.',
    });
  }
  const charset = CHARSET.exec(header)?.[1]?.toLowerCase() ?? 'utf-8';
  if (charset !== 'utf-8' && charset !== 'utf8') {
    throw new ApiError('unsupported_media_type', { text: 'The charset of the request body must be UTF-8.' });
  }
  return format;
}
