import Joi, { type AlternativesSchema, type ErrorReport, type Schema } from 'joi';

/** Replaces errors of `code` with another error that names the other field. */
const asFault =
  (code: string, fault: string, other: string) =>
  (errors: ErrorReport[]): ErrorReport[] => {
    for (const error of errors) {
      if (error.code !== code) continue;
      error.code = fault;
      error.local = { ...(error.local as object), other };
    }
    return errors;
  };

/** A field checked by `rules` only if the field `other` is absent. */
export const unless = (other: string, rules: Schema): AlternativesSchema =>
  Joi.when(other, { is: Joi.exist(), then: Joi.any(), otherwise: rules });

/** A field that is required, by `rules`, if the field `other` is absent, and is not checked otherwise. */
export const insteadOf = (other: string, rules: Schema): AlternativesSchema =>
  unless(other, rules.required().error(asFault('any.required', 'required.without', other)));

/** A field that is forbidden beside the field `other`, and goes by `rules` without it. */
export const without = (other: string, rules: Schema): AlternativesSchema =>
  Joi.when(other, {
    is: Joi.exist(),
    then: Joi.forbidden().error(asFault('any.unknown', 'excluded.with', other)),
    otherwise: rules,
  });

/** A field that goes by `rules` beside the field `other`, and is forbidden, as `fault`, without it. */
export const onlyWith = (other: string, rules: Schema, fault: string): AlternativesSchema =>
  Joi.when(other, {
    is: Joi.exist(),
    then: rules,
    otherwise: Joi.forbidden().error(asFault('any.unknown', fault, other)),
  });

/** A field that is required, by `rules`, if the field `other` is absent, and is forbidden otherwise. */
export const eitherOr = (other: string, rules: Schema): AlternativesSchema =>
  Joi.when(other, {
    is: Joi.exist(),
    then: Joi.forbidden().error(asFault('any.unknown', 'excluded.with', other)),
    otherwise: rules.required().error(asFault('any.required', 'required.without', other)),
  });
