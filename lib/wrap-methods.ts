/** A method that wraps another: takes its place, and calls it. */
export type Wrap<F> = (inner: F) => F;

/** What wraps which method. A method that is not listed stays as it is. */
export type Wraps<T> = { readonly [M in keyof T]?: Wrap<T[M]> };

/** Any method whose arguments only pass through. */
export type AnyMethod = (...args: unknown[]) => Promise<unknown>;

/** Chooses what wraps a method by its name; undefined: nothing. */
export type Choose = (name: string) => Wrap<AnyMethod> | undefined;

/** The same object of methods, some of them wrapped. They are wrapped now, once: a call costs what its wrap does. */
export const wrapMethods = <T extends object>(target: T, wraps: Wraps<T>): T =>
  wrapEachMethod(target, (name) => wraps[name as keyof T] as Wrap<AnyMethod> | undefined);

/** As `wrapMethods`, for what wraps every method, or chooses by name. */
export function wrapEachMethod<T extends object>(target: T, choose: Choose): T {
  const methods = Object.entries(methodsOf(target)).map(([name, method]) => {
    const wrap = choose(name);
    return [name, wrap ? wrap(method.bind(target)) : method];
  });
  return Object.fromEntries(methods) as T;
}

/** The methods of an object or of an instance of a class, by name. */
function methodsOf(target: object): Record<string, AnyMethod> {
  const found: Record<string, AnyMethod> = {};
  for (let from: object | null = target; from && from !== Object.prototype; from = prototypeOf(from)) {
    for (const name of Object.getOwnPropertyNames(from)) {
      const member: unknown = Reflect.get(from, name);
      if (typeof member !== 'function' || name === 'constructor' || name in found) continue;
      // Those of an instance need it.
      found[name] = (from === target ? member : member.bind(target)) as AnyMethod;
    }
  }
  return found;
}

const prototypeOf = (object: object): object | null => Object.getPrototypeOf(object) as object | null;
