import type { ObjectSchema, ValidationResult } from 'joi';
import { fieldErrors, type FieldErrors } from './validation-messages';
import type { Fields } from './normalize';

export type Validated<T> = { ok: true; value: T } | { ok: false; errors: FieldErrors };

/**
 * Values are checked as they are (`normalize` converts them first), all errors are collected, and the messages are
 * ours.
 */
const OPTIONS = { abortEarly: false, convert: false, errors: { render: false } } as const;

/** The rules with the options attached, so that Joi combines them once instead of for every request. */
const prepared = new WeakMap<ObjectSchema, ObjectSchema>();

/** Checks normalized fields against the rules of an endpoint, some of which need a context. */
export function validate<T>(rules: ObjectSchema<T>, fields: Fields, context?: object): Validated<T> {
  let schema = prepared.get(rules) as ObjectSchema<T> | undefined;
  if (!schema) prepared.set(rules, (schema = rules.prefs(OPTIONS)));
  const result: ValidationResult<T> = context ? schema.validate(fields, { context }) : schema.validate(fields);
  return result.error ? { ok: false, errors: fieldErrors(result.error.details) } : { ok: true, value: result.value };
}
