interface Entry<V> {
  key: number;
  at: number;
  value: V;
}

/**
 * Keys that fall due, each at one time, with a value: a binary heap by time. Setting, taking and removing cost the
 * logarithm of their number.
 */
export class DueList<V> {
  private readonly byKey = new Map<number, Entry<V>>();
  /** Entries that were replaced or removed stay until they are at the top. */
  private heap: Entry<V>[] = [];

  /** The earliest time; Infinity when nothing is in the list. */
  get nextAt(): number {
    this.dropStale();
    return this.heap[0]?.at ?? Infinity;
  }

  get(key: number): { at: number; value: V } | undefined {
    return this.byKey.get(key);
  }

  keys(): number[] {
    return [...this.byKey.keys()];
  }

  set(key: number, at: number, value: V): void {
    const entry = { key, at, value };
    this.byKey.set(key, entry);
    this.heap.push(entry);
    this.rise(this.heap.length - 1);
    // Each change leaves a stale entry behind; more of them than others would make the list grow without end.
    if (this.heap.length > 64 && this.heap.length > 2 * this.byKey.size) this.rebuild();
  }

  /** False when it was not in the list. */
  delete(key: number): boolean {
    return this.byKey.delete(key);
  }

  /** Removes and returns the keys that are due at `now`, in order of time. */
  take(now: number): number[] {
    const due: number[] = [];
    while (this.nextAt <= now) {
      const { key } = this.pop();
      this.byKey.delete(key);
      due.push(key);
    }
    return due;
  }

  private dropStale(): void {
    for (let [top] = this.heap; top && this.byKey.get(top.key) !== top; [top] = this.heap) this.pop();
  }

  private rebuild(): void {
    this.heap = [...this.byKey.values()].sort((a, b) => a.at - b.at);
  }

  private pop(): Entry<V> {
    const top = this.heap[0]!;
    const last = this.heap.pop()!;
    if (last !== top) {
      this.heap[0] = last;
      this.sink(0);
    }
    return top;
  }

  private rise(from: number): void {
    for (let n = from; n > 0;) {
      const parent = (n - 1) >> 1;
      if (this.heap[parent]!.at <= this.heap[n]!.at) return;
      this.swap(n, parent);
      n = parent;
    }
  }

  private sink(from: number): void {
    for (let n = from; ;) {
      const [left, right] = [2 * n + 1, 2 * n + 2];
      let least = n;
      for (const child of [left, right]) {
        if (child < this.heap.length && this.heap[child]!.at < this.heap[least]!.at) least = child;
      }
      if (least === n) return;
      this.swap(n, least);
      n = least;
    }
  }

  private swap(a: number, b: number): void {
    [this.heap[a], this.heap[b]] = [this.heap[b]!, this.heap[a]!];
  }
}
