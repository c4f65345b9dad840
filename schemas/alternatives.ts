import Joi, { type AlternativesSchema, type ErrorReport, type Schema } from 'joi';

/** The errors with `code` told as another fault, which names the other field. */
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

/** A field that keeps `rules` where the field `other` is not given, and is not looked at where it is. */
export const unless = (other: string, rules: Schema): AlternativesSchema =>
  Joi.when(other, { is: Joi.exist(), then: Joi.any(), otherwise: rules });

/** A field that must be there, by `rules`, where the field `other` is not given, and is not looked at where it is. */
export const insteadOf = (other: string, rules: Schema): AlternativesSchema =>
  unless(other, rules.required().error(asFault('any.required', 'required.without', other)));

/** A field that must be there, by `rules`, where the field `other` is not given, and must not be there where it is. */
export const eitherOr = (other: string, rules: Schema): AlternativesSchema =>
  Joi.when(other, {
    is: Joi.exist(),
    then: Joi.forbidden().error(asFault('any.unknown', 'excluded.with', other)),
    otherwise: rules.required().error(asFault('any.required', 'required.without', other)),
  });
