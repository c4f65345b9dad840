import Joi, { type ObjectSchema } from 'joi';
import { named } from './closed';

/** The body of every error (docs/contract.md#error-bodies), and its stable code, one of `codes`. */
export const errorAnswer = (codes: readonly string[]): ObjectSchema =>
  named('Error', {
    message: Joi.string().description('For people. With several errors: the first, and the number of the others.'),
    code: Joi.valid(...codes)
      .description('For programs; stable.')
      .meta({ component: 'ErrorCode' }),
    errors: Joi.object()
      .pattern(Joi.string(), Joi.array().items(Joi.string()).min(1))
      .optional()
      .description('Field name to its errors; only when fields are invalid.'),
  });
