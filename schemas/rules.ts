import type { ObjectSchema, ValidationResult } from 'joi';
import { fieldErrors, type FieldErrors } from './validation-messages';
import type { Fields } from './normalize';

export type Validated<T> = { ok: true; value: T } | { ok: false; errors: FieldErrors };

/** Values are judged as they are (conversion is tidy's part), all faults are collected, sentences are ours. */
const OPTIONS = { abortEarly: false, convert: false, errors: { render: false } } as const;

/** The rules with the options in them: Joi then puts the two together once, not with every request. */
const prepared = new WeakMap<ObjectSchema, ObjectSchema>();

/** Judges tidied fields by the rules of an endpoint. */
export function validate<T>(rules: ObjectSchema<T>, fields: Fields): Validated<T> {
  let schema = prepared.get(rules) as ObjectSchema<T> | undefined;
  if (!schema) prepared.set(rules, (schema = rules.prefs(OPTIONS)));
  const result: ValidationResult<T> = schema.validate(fields);
  return result.error ? { ok: false, errors: fieldErrors(result.error.details) } : { ok: true, value: result.value };
}
