import Joi, { type StringSchema } from 'joi';
import { inJsonSchema } from '../rules/json-schema';

const OBJECT_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/;
const WEBHOOK_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\+00:00$/;

/** An integer id. */
export const id = Joi.number().integer().min(1);

/** A count. */
export const count = Joi.number().integer().min(0);

/** A UUID in lower case. */
export const uuid = Joi.string().guid();

/** A time in object data (docs/contract.md#time). */
export const objectTime: StringSchema = Joi.string()
  .pattern(OBJECT_TIME)
  .meta(inJsonSchema({ format: 'date-time' }));

/** A time in the form of webhook payloads, with `+00:00` (docs/contract.md#time). */
export const offsetTime: StringSchema = Joi.string()
  .pattern(WEBHOOK_TIME)
  .meta(inJsonSchema({ format: 'date-time' }));

/** An address; its local part may be internationalised. */
export const address: StringSchema = Joi.string().meta(inJsonSchema({ format: 'idn-email' }));

/** A URL. */
export const url: StringSchema = Joi.string().meta(inJsonSchema({ format: 'uri' }));
