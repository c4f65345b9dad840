import Joi, { type CustomHelpers } from 'joi';
import { inJsonSchema } from './json-schema';
import { MOMENT, readMoment, readTimestamp, TIMESTAMP } from './timestamps';

/** A time in a request, read to ms. Not `date-time` in the document: seconds and offset are optional. */
export const timestamp = Joi.string()
  .custom((value: string, { error }: CustomHelpers<string>) => readTimestamp(value) ?? error('timestamp.invalid'))
  .meta(inJsonSchema({ pattern: TIMESTAMP.source }));

/** A bound of a list by time: a time, or a date alone for its midnight in UTC, read to ms. */
export const moment = Joi.string()
  .custom((value: string, { error }: CustomHelpers<string>) => readMoment(value) ?? error('moment.invalid'))
  .meta(inJsonSchema({ pattern: MOMENT.source }));
