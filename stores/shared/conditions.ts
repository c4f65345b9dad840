/** What each filter of a list means to a driver. A filter without a line does not compile. */
export type Conditions<F, C> = { readonly [N in keyof F]-?: (value: Exclude<F[N], undefined>) => C };

/** The conditions of the filters that are given, in the order of the table. */
export const conditionsOf = <F extends object, C>(table: Conditions<F, C>, given: F): C[] =>
  Object.entries<(value: never) => C>(table).flatMap(([name, condition]) => {
    const value = given[name as keyof F];
    return value === undefined ? [] : [condition(value as never)];
  });

/**
 * For what is left of the query of a list: compiles only when that is nothing, since a filter that a driver does not
 * read would be ignored, and the list hold everything.
 */
export const allRead = (_left: Readonly<Record<string, never>>): void => undefined;
