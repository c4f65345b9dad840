import Joi, { type AnySchema } from 'joi';
import { inJsonSchema } from './json-schema';

/** A whole number of a query, within bounds; `preset` is its default in the document. */
export function wholeNumber(minimum: number, maximum: number, preset: number): AnySchema {
  return Joi.any()
    .custom((value: unknown, { error }) => {
      if (typeof value !== 'number') return error('number.integer');
      if (value < minimum) return error('number.min', { limit: minimum });
      return value > maximum ? error('number.max', { limit: maximum }) : value;
    })
    .meta(inJsonSchema({ type: 'integer', minimum, maximum, default: preset }));
}
