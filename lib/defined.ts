/** The fields of an object that are not undefined. */
export type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Leaves out the fields that are undefined: an option that was not given is no field of a change or a filter. */
export const defined = <T extends object>(fields: T): Defined<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>;
