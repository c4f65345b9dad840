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

/** How fields depend on another field: by Joi for each value, or settled beforehand. */
export interface Dependence {
  without: (other: string, rules: Schema) => Schema;
  onlyWith: (other: string, rules: Schema, fault: string) => Schema;
}

/** Joi looks at the other field, at a cost for each value. */
export const looked: Dependence = { without, onlyWith };

/** The rules for values of which it is known whether they have the other field. */
export const known = (isPresent: boolean): Dependence => ({
  without: (other, rules) =>
    isPresent ? Joi.forbidden().error(asFault('any.unknown', 'excluded.with', other)) : rules,
  onlyWith: (other, rules, fault) => (isPresent ? rules : Joi.forbidden().error(asFault('any.unknown', fault, other))),
});

/** A field that is required, by `rules`, if the field `other` is absent, and is forbidden otherwise. */
export const eitherOr = (other: string, rules: Schema): AlternativesSchema =>
  Joi.when(other, {
    is: Joi.exist(),
    then: Joi.forbidden().error(asFault('any.unknown', 'excluded.with', other)),
    otherwise: rules.required().error(asFault('any.required', 'required.without', other)),
  });
