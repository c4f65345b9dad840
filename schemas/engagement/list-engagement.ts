import Joi from 'joi';
import type { EngagementOrder } from '../../domain/engagement/engagement';
import { engagementOrder } from '../rules/enums';
import { inJsonSchema } from '../rules/json-schema';
import { pageNumber, pageShape } from '../rules/page';
import type { Shape } from '../rules/normalize';
import { wholeNumber } from '../rules/whole-number';

/** Longest period in days; 0 = all time (docs/contract.md#contact-engagement). */
export const MAX_DAYS = 3_650;
/** Rows of the largest page (docs/contract.md#contact-engagement). */
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
  /** As received: a malformed id is 404, like an unknown one (docs/contract.md#contact-engagement). */
  audience_id?: unknown;
  per_page?: number;
  page?: number;
}

/** The query of GET /contacts/engagement (docs/contract.md#contact-engagement). */
export const engagementRules = Joi.object<EngagementFields>({
  by: engagementOrder,
  days: wholeNumber(0, MAX_DAYS, 90),
  audience_id: Joi.any().meta(inJsonSchema({ type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  per_page: wholeNumber(1, MAX_PER_PAGE, 50),
  page: pageNumber,
});
