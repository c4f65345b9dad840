import Joi from 'joi';
import { inJsonSchema } from '../rules/json-schema';
import { named, type ValueOf } from './closed';

/** The response of every DELETE. */
export const deletedAnswer = named(
  'Deleted',
  {
    deleted: Joi.boolean()
      .meta(inJsonSchema({ const: true }))
      .description('Always true.'),
  },
  'The record was deleted.',
).example({
  deleted: true,
});

export const DELETED: ValueOf<typeof deletedAnswer> = { deleted: true };
