import Joi, { type ObjectSchema, type SchemaMap } from 'joi';

/** An object of an answer: it has every one of these fields (those marked optional may be missing) and no other. */
export function closed(fields: SchemaMap): ObjectSchema {
  return Joi.object(fields).options({ presence: 'required' });
}

/** The same under the name it has in the API's document. */
export function named(component: string, fields: SchemaMap): ObjectSchema {
  return closed(fields).meta({ component });
}
