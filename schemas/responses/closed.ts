import Joi, { type AnySchema, type ObjectSchema } from 'joi';

/** The value that a schema describes. */
export type ValueOf<S> = S extends AnySchema<infer Value> ? Value : never;

/** The value of an object with these fields; those that may be undefined may also be left out. */
export type Fields<F> = Flat<
  { [K in keyof F as undefined extends ValueOf<F[K]> ? never : K]: ValueOf<F[K]> } & {
    [K in keyof F as undefined extends ValueOf<F[K]> ? K : never]?: Exclude<ValueOf<F[K]>, undefined>;
  }
>;
type Flat<T> = { [K in keyof T]: T[K] };
type Schemas = Readonly<Record<string, AnySchema>>;

/** An object in a response: it has all of these fields, except those marked optional. */
export function closed<F extends Schemas>(fields: F): ObjectSchema<Fields<F>> {
  return Joi.object<Fields<F>>(fields).options({ presence: 'required' });
}

/** An object in a response with a component name in the API's document; `about` says what it is. */
export function named<F extends Schemas>(component: string, fields: F, about: string): ObjectSchema<Fields<F>> {
  return closed(fields).meta({ component, about });
}

/** The schema with null as a further value. */
export const nullable = <T>(schema: AnySchema<T>): AnySchema<T | null> => schema.allow(null);

/** A field that may be left out. */
export const optional = <T>(schema: AnySchema<T>): AnySchema<T | undefined> => schema.optional();

/** A list of such items. */
export const list = <T>(item: AnySchema<T>) => Joi.array<readonly T[]>().items(item);

/** One of these values. */
export const oneOf = <const T>(...values: readonly T[]): AnySchema<T> => Joi.valid(...values);

/** A value of the one or the other schema. */
export const either = <A, B>(one: AnySchema<A>, other: AnySchema<B>): AnySchema<A | B> =>
  Joi.alternatives<A | B>().try(one, other);
