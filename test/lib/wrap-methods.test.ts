import { describe, expect, it } from '@jest/globals';
import { wrapEachMethod, wrapMethods, type AnyMethod } from '../../lib/wrap-methods';

interface Counter {
  add(n: number): Promise<number>;
  total(): Promise<number>;
}

class Base {
  constructor(protected sum: number) {}
  async total(): Promise<number> {
    return this.sum;
  }
}

class ClassCounter extends Base implements Counter {
  async add(n: number): Promise<number> {
    return (this.sum += n);
  }
}

const literal = (start: number): Counter => {
  let sum = start;
  return { add: async (n) => (sum += n), total: async () => sum };
};

describe.each([
  ['an object', literal],
  ['an instance of a class', (start: number): Counter => new ClassCounter(start)],
])('wrapped methods of %s', (_, create) => {
  it('take the place of those that are named, and the others stay', async () => {
    const counter = create(1);
    const wrapped = wrapMethods(counter, { add: (add) => (n) => add(10 * n) });
    expect([await wrapped.add(2), await wrapped.total(), await counter.add(1)]).toEqual([21, 21, 22]);
  });

  it('are wrapped once, by name, and not at each call', async () => {
    const made: string[] = [];
    const calls: unknown[] = [];
    const wrapped = wrapEachMethod(create(1), (name) => {
      made.push(name);
      if (name === 'total') return undefined;
      const noting =
        (inner: AnyMethod): AnyMethod =>
        (...args) => {
          calls.push([name, ...args]);
          return inner(...args);
        };
      return noting;
    });
    await wrapped.add(2);
    expect(await wrapped.add(3)).toBe(6);
    expect(await wrapped.total()).toBe(6);
    expect([made.sort(), calls]).toEqual([
      ['add', 'total'],
      [
        ['add', 2],
        ['add', 3],
      ],
    ]);
  });
});
