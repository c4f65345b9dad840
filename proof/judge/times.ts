/** Times, to be asked what lies between two of them. */
export class Times {
  private readonly sorted: readonly number[];

  constructor(times: readonly number[]) {
    this.sorted = [...times].sort((a, b) => a - b);
  }

  /** How many lie in [from, to]; ms. */
  count(from: number, to: number): number {
    return Math.max(0, this.before(to, true) - this.before(from, false));
  }

  any(from: number, to: number): boolean {
    return this.count(from, to) > 0;
  }

  from(time: number): readonly number[] {
    return this.sorted.slice(this.before(time, false));
  }

  /** How many are earlier, or at that time. */
  private before(time: number, included: boolean): number {
    let [low, high] = [0, this.sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const value = this.sorted[middle] ?? Infinity;
      if (value < time || (included && value === time)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
