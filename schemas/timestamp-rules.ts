import Joi, { type CustomHelpers } from 'joi';
import { inJsonSchema } from './json-schema';
import { readTimestamp, TIMESTAMP } from './timestamps';

/** A time in a request, read to ms. Not `date-time` in the document: seconds and offset are optional. */
export const timestamp = Joi.string()
  .custom((value: string, { error }: CustomHelpers<string>) => readTimestamp(value) ?? error('timestamp.invalid'))
  .meta(inJsonSchema({ pattern: TIMESTAMP.source }));
