import Joi from 'joi';
import { inJsonSchema } from '../json-schema';
import { named } from './closed';

/** What every DELETE answers. */
export const deletedAnswer = named('Deleted', { deleted: Joi.boolean().meta(inJsonSchema({ const: true })) }).example({
  deleted: true,
});
