/** What a stream of random numbers decides. A change in one stream moves none of the others. */
export const STREAMS = ['network', 'load', 'order', 'entry', 'faults', 'profile'] as const;
export type StreamName = (typeof STREAMS)[number];

/** Random numbers that follow from a seed (sfc32). */
export class Random {
  private a: number;
  private b: number;
  private c: number;
  private counter = 1;

  /** `name` separates streams of the same seed. */
  constructor(seed: number, name: string) {
    [this.a, this.b, this.c] = [hash(`${name}a`, seed), hash(`${name}b`, seed), hash(`${name}c`, seed)];
    for (let n = 0; n < 12; n++) this.word();
  }

  /** A whole number from 0 to 2^32 - 1. */
  word(): number {
    const sum = (this.a + this.b + this.counter) | 0;
    this.counter = (this.counter + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = ((this.c << 21) | (this.c >>> 11)) + sum;
    this.c |= 0;
    return sum >>> 0;
  }

  /** From 0 to below 1. */
  next(): number {
    return this.word() / 2 ** 32;
  }

  /** A whole number from 0 to below `n`. */
  below(n: number): number {
    return Math.floor(this.next() * n);
  }

  /** A number from `low` to below `high`. */
  between(low: number, high: number): number {
    return low + this.next() * (high - low);
  }

  /** True with this probability. */
  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  fill(bytes: Uint8Array): void {
    for (let n = 0; n < bytes.length; n++) bytes[n] = this.word() & 255;
  }
}

/** FNV-1a of the name, started at the seed. */
function hash(name: string, seed: number): number {
  let value = (0x811c9dc5 ^ seed) | 0;
  for (const letter of name) value = Math.imul(value ^ letter.charCodeAt(0), 0x01000193);
  return Math.imul(value ^ Math.floor(seed / 2 ** 32), 0x85ebca6b) ^ (value >>> 13);
}
