import Joi, { type ObjectSchema, type SchemaMap } from 'joi';

/** An object in a response: it has exactly these fields (those marked optional may be missing). */
export function closed(fields: SchemaMap): ObjectSchema {
  return Joi.object(fields).options({ presence: 'required' });
}

/** A closed object with a component name in the API's document. */
export function named(component: string, fields: SchemaMap): ObjectSchema {
  return closed(fields).meta({ component });
}
