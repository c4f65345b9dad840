/** Amounts by time, to be asked for the sum up to a time. */
export class Sums {
  private readonly entries: { time: number; amount: number }[] = [];
  private totals: number[] | null = null;

  add(time: number, amount: number): void {
    this.entries.push({ time, amount });
    this.totals = null;
  }

  /** The sum of all amounts up to that time, with it. */
  until(time: number): number {
    const totals = this.sorted();
    let [low, high] = [0, this.entries.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.entries[middle]?.time ?? Infinity) <= time) low = middle + 1;
      else high = middle;
    }
    return totals[low - 1] ?? 0;
  }

  times(): number[] {
    return this.entries.map(({ time }) => time);
  }

  private sorted(): number[] {
    if (this.totals) return this.totals;
    this.entries.sort((a, b) => a.time - b.time);
    let total = 0;
    this.totals = this.entries.map(({ amount }) => (total += amount));
    return this.totals;
  }
}
