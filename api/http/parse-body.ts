import { isUtf8 } from 'node:buffer';
import type { Source } from '../../schemas/rules/normalize';
import { ApiError } from '../errors';
import { parseForm } from './parse-form';
import { parseJson } from './parse-json';

/** The fields of a JSON or form body. ApiError 400 or 422 with a text for the caller. */
export function parseBody(bytes: Buffer, source: Source): object {
  if (!isUtf8(bytes)) throw new ApiError('malformed_body', { text: 'The request body is not valid UTF-8.' });
  return source === 'json' ? parseJson(bytes) : parseForm(bytes, 'body');
}
