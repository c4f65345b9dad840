import Joi, { type ObjectSchema, type SchemaMap } from 'joi';

/** An object in a response: it has all of these fields, except those marked optional. */
export function closed(fields: SchemaMap): ObjectSchema {
  return Joi.object(fields).options({ presence: 'required' });
}

/** An object in a response with a component name in the API's document; `about` says what it is. */
export function named(component: string, fields: SchemaMap, about: string): ObjectSchema {
  return closed(fields).meta({ component, about });
}
