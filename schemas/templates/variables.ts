import Joi, { type CustomHelpers } from 'joi';
import { inJsonSchema } from '../rules/json-schema';

/** Code points of a value that is text. */
export const MAX_VALUE = 2_000;

/** The `variables` of POST /messages; their types are those of the template (docs/contract.md#template-variables). */
export const variables = Joi.any()
  .custom((value: unknown, { error }: CustomHelpers) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? value : error('object.base'),
  )
  .meta(inJsonSchema({ type: 'object', additionalProperties: { type: ['string', 'number'], maxLength: MAX_VALUE } }));
