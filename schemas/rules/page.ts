import Joi, { type CustomHelpers } from 'joi';
import type { Shape } from './normalize';
import { inJsonSchema } from './json-schema';

/** The query parameter `page`, from 1 (docs/contract.md#pagination). */
export const pageNumber = Joi.any()
  .custom(readPage)
  .meta(inJsonSchema({ type: 'integer', minimum: 1, default: 1 }));

export const pageShape = { page: 'integer' } as const satisfies Shape;

export interface PageQueryFields {
  page?: number;
}

/** The query of a list that has no filters. */
export const pageRules = Joi.object<PageQueryFields>({ page: pageNumber });

/** A number too large to compute with is a page beyond the last (docs/contract.md#pagination). */
function readPage(value: unknown, { error }: CustomHelpers): unknown {
  if (typeof value !== 'number') return error('number.integer');
  return value < 1 ? error('number.min', { limit: 1 }) : Math.min(value, Number.MAX_SAFE_INTEGER);
}
