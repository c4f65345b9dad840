import Joi from 'joi';
import { inJsonSchema } from '../json-schema';
import { named } from './closed';

/** POST /conversions (docs/contract.md#report-a-conversion). */
export const conversionAnswer = named(
  'Conversion',
  {
    received: Joi.boolean()
      .meta(inJsonSchema({ const: true }))
      .description('Always true.'),
    duplicate: Joi.boolean().description('The order_id was used before; nothing new was recorded.'),
  },
  'What became of a reported sale.',
);
