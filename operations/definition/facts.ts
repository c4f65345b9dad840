import { snakeCase, type SnakeCase } from '../../lib/snake-case';
import { objectTime } from '../../schemas/rules/timestamps';

/** A time for programs: the object form of the API (docs/contract.md#time); null stays null. */
export const jsonTime = <T extends number | null>(at: T): string | Extract<T, null> =>
  at === null ? (at as Extract<T, null>) : objectTime(at);

/** Names of fields that hold times, in ms since the epoch or as JSON has them. */
export const isTimeName = (name: string): boolean => /^at$|_at$|At$|until$|Until$/.test(name);

type TimeName = 'at' | 'until' | `${string}At` | `${string}Until`;
type Facts<T, K extends keyof T & string> = {
  [F in K as SnakeCase<F>]: F extends TimeName ? string | Extract<T[F], null> : T[F];
};

/** Fields of a record as JSON: their names in snake case, their times in the form of the API. */
export const facts = <T, K extends keyof T & string>(of: T, ...names: readonly K[]): Facts<T, K> =>
  Object.fromEntries(
    names.map((name) => {
      const value = of[name];
      const shown = typeof value === 'number' && isTimeName(name) ? objectTime(value) : value;
      return [snakeCase(name), shown];
    }),
  ) as Facts<T, K>;
