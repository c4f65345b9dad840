/**
 * Short-lived values, each under its own number (a slab). Numbers are reused. Use it in place of a Map or a Set for
 * data that changes with every mail: their table is rebuilt every few hundred changes, and an old table that was
 * promoted keeps the new one and its contents from being collected as young
 * (docs/decisions/0036-messages-being-sent-are-kept-in-slabs.md).
 */
export class Slab<T> {
  private readonly slots: (T | undefined)[] = [];
  private readonly free: number[] = [];

  /** The number of values. */
  get size(): number {
    return this.slots.length - this.free.length;
  }

  /** Returns the number of the value, from 0. */
  insert(value: T): number {
    const number = this.free.pop() ?? this.slots.length;
    this.slots[number] = value;
    return number;
  }

  get(number: number): T | undefined {
    return this.slots[number];
  }

  /** Returns the removed value, or undefined if there was none. */
  remove(number: number): T | undefined {
    const value = this.slots[number];
    if (value === undefined) return undefined;
    this.slots[number] = undefined;
    this.free.push(number);
    return value;
  }

  /** All values with their numbers, in no particular order. */
  entries(): [number, T][] {
    return this.slots.flatMap((value, number): [number, T][] => (value === undefined ? [] : [[number, value]]));
  }

  values(): T[] {
    return this.slots.filter((value) => value !== undefined);
  }
}
