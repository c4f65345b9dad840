import Joi, { type CustomHelpers } from 'joi';
import { inJsonSchema } from '../rules/json-schema';
import { conversionMessageId } from './new-conversion';
import type { Shape } from '../rules/normalize';
import { pageNumber, pageShape } from '../rules/page';
import { moment } from '../rules/timestamp-rules';

export const conversionListShape = {
  message_id: 'text',
  campaign_id: 'integer',
  since: 'text',
  until: 'text',
  ...pageShape,
} as const satisfies Shape;

export interface ConversionListFields {
  /** In lower case. */
  message_id?: string;
  campaign_id?: number;
  /** ms */
  since?: number;
  until?: number;
  page?: number;
}

/** The query of GET /conversions (docs/contract.md#list-of-conversions). */
export const conversionListRules = Joi.object<ConversionListFields>({
  message_id: conversionMessageId,
  campaign_id: Joi.any()
    .custom(readCampaign)
    .meta(inJsonSchema({ type: 'integer', minimum: 1 })),
  since: moment,
  until: moment,
  page: pageNumber,
});

function readCampaign(value: unknown, { error }: CustomHelpers): unknown {
  if (typeof value !== 'number') return error('number.integer');
  return value < 1 ? error('number.min', { limit: 1 }) : value;
}
