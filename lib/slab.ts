/**
 * Values that come and go, each under a number of its own (a slab). Numbers are given again. For what changes with every mail in
 * place of a Map or a Set: their table is made anew every few hundred changes, and the old one, once it has grown old, keeps the
 * new one and everything in it from the collector of the young generation
 * (docs/decisions/0036-mails-in-hand-are-kept-in-slabs.md).
 */
export class Slab<T> {
  private readonly places: (T | undefined)[] = [];
  private readonly free: number[] = [];

  /** How many there are. */
  get size(): number {
    return this.places.length - this.free.length;
  }

  /** Answers the value's number, from 0. */
  insert(value: T): number {
    const number = this.free.pop() ?? this.places.length;
    this.places[number] = value;
    return number;
  }

  get(number: number): T | undefined {
    return this.places[number];
  }

  /** Answers the value that is gone, or undefined when there was none. */
  remove(number: number): T | undefined {
    const value = this.places[number];
    if (value === undefined) return undefined;
    this.places[number] = undefined;
    this.free.push(number);
    return value;
  }

  /** All of them, in no promised order, with their numbers. */
  entries(): [number, T][] {
    return this.places.flatMap((value, number): [number, T][] => (value === undefined ? [] : [[number, value]]));
  }

  values(): T[] {
    return this.places.filter((value) => value !== undefined);
  }
}
