import type { Faults } from './faults';

/** Labels a call of a method by its arguments; null = no label. */
export type Label = (...args: never[]) => string | null | Promise<string | null>;

/** Labels by method. A method that is not listed has no label. */
export type Labels<T> = { [M in keyof T]?: Label };

/** Wraps every method of a port with faults, as operation `name.method`. All methods return promises. */
export function faultyPort<T extends object>(port: T, name: string, faults: Faults, labels: Labels<T> = {}): T {
  return new Proxy(port, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key);
      if (typeof member !== 'function' || typeof key === 'symbol') return member;
      const label = labels[key as keyof T] as
        ((...args: unknown[]) => string | null | Promise<string | null>) | undefined;
      return async (...args: unknown[]): Promise<unknown> =>
        faults.around(`${name}.${key}`, label ? await label(...args) : null, () =>
          Promise.resolve(Reflect.apply(member, target, args)),
        );
    },
  });
}
