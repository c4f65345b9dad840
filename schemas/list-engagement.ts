import Joi, { type CustomValidator } from 'joi';
import { ENGAGEMENT_ORDERS, type EngagementOrder } from '../domain/engagement';
import { pageNumber, pageShape } from './page';
import type { Shape } from './tidy';

/** Days of the longest period; 0 = all time (spec section 8). */
export const MAX_DAYS = 3_650;
/** Rows of the largest page (spec section 8). */
export const MAX_PER_PAGE = 200;

export const engagementShape = {
  by: 'text',
  days: 'integer',
  audience_id: 'text',
  per_page: 'integer',
  ...pageShape,
} as const satisfies Shape;

export interface EngagementFields {
  by?: EngagementOrder;
  days?: number;
  /** As it was given: a malformed one is 404, like one that is not there (DESIGN section 6). */
  audience_id?: unknown;
  per_page?: number;
  page?: number;
}

/** The query of GET /contacts/engagement (spec section 4). */
export const engagementRules = Joi.object<EngagementFields>({
  by: Joi.any().valid(...ENGAGEMENT_ORDERS),
  days: Joi.any().custom(wholeNumber(0, MAX_DAYS)),
  audience_id: Joi.any(),
  per_page: Joi.any().custom(wholeNumber(1, MAX_PER_PAGE)),
  page: pageNumber,
});

function wholeNumber(min: number, max: number): CustomValidator {
  return (value: unknown, { error }) => {
    if (typeof value !== 'number') return error('number.integer');
    if (value < min) return error('number.min', { limit: min });
    return value > max ? error('number.max', { limit: max }) : value;
  };
}
