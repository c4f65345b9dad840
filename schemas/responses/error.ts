import Joi, { type ObjectSchema } from 'joi';
import { named } from './closed';

/** The bodies of errors (docs/contract.md#error-bodies): with a 422, and with every other status. */
export interface ErrorAnswers {
  unprocessable: ObjectSchema;
  other: ObjectSchema;
}

/** The two schemas of errors; `codes` are the stable codes. */
export function errorAnswers(codes: readonly string[]): ErrorAnswers {
  const common = {
    message: Joi.string().description('For people. With several errors: the first one and the number of the others.'),
    // Any text, not a closed list: generated clients would refuse a code that is added later.
    code: Joi.string().description(`For programs; stable. New codes may be added. Currently: ${codes.join(', ')}.`),
  };
  const errors = Joi.object()
    .pattern(Joi.string(), Joi.array().items(Joi.string()).min(1))
    .optional()
    .description('Field name to its errors; absent when a business rule refuses the request.');
  return {
    unprocessable: named(
      'ValidationError',
      { ...common, errors },
      'The response to a request that is refused with 422.',
    ),
    other: named('Error', common, 'The response to a request that fails with any other status.'),
  };
}
