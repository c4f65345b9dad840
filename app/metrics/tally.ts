import { Counter, type Registry } from 'prom-client';

export interface TallyOptions<K extends string> {
  name: string;
  help: string;
  /** The labels of each series by its key. All of them are there from the start, at 0. */
  series: Readonly<Record<K, Readonly<Record<string, string>>>>;
}

/**
 * A counter whose series are known from the start. Counting adds to a number in an object, which costs some
 * nanoseconds; labels are looked at when the counter is read.
 */
export class Tally<K extends string> {
  private readonly counts: Record<K, number>;

  constructor(register: Registry, { name, help, series }: TallyOptions<K>) {
    const keys = Object.keys(series) as K[];
    const counts = Object.fromEntries(keys.map((key) => [key, 0])) as Record<K, number>;
    this.counts = counts;
    const labelNames = Object.keys(keys.length > 0 ? series[keys[0]!] : {});
    new Counter({
      name,
      help,
      labelNames,
      registers: [register],
      collect() {
        this.reset();
        for (const key of keys) this.inc(series[key], counts[key]);
      },
    });
  }

  add(key: K, count = 1): void {
    this.counts[key] += count;
  }
}

/** The series of one label: a value each. */
export const seriesOf = <K extends string>(label: string, values: readonly K[]): Record<K, Record<string, K>> =>
  Object.fromEntries(values.map((value) => [value, { [label]: value }])) as Record<K, Record<string, K>>;

/** The series of two labels: every pair of values, with the key `a b`. */
export function seriesOfPairs<A extends string, B extends string>(
  [labelA, valuesA]: readonly [string, readonly A[]],
  [labelB, valuesB]: readonly [string, readonly B[]],
): Record<`${A} ${B}`, Record<string, string>> {
  const labels = (a: A, b: B): Record<string, string> => ({ [labelA]: a, [labelB]: b });
  const pairs = valuesA.flatMap((a) => valuesB.map((b) => [`${a} ${b}`, labels(a, b)] as const));
  return Object.fromEntries(pairs) as Record<`${A} ${B}`, Record<string, string>>;
}
