import type { Random } from './random';

/** Something that happens at a time of the world. */
export interface Happening {
  /** ms */
  at: number;
  /** Order among those of the same time, drawn by the seed. */
  tie: number;
  readonly owner: Owner;
  readonly name: string;
  run: (() => void) | null;
}

/** A part of the world that can die: the program in one of its lives, or what is around it, which never does. */
export class Owner {
  alive = true;
  /** Until then nothing of it happens, ms. */
  frozenUntil = -Infinity;
  constructor(readonly name: string) {}
}

export const OUTSIDE = new Owner('outside');

/**
 * What waits to happen, in the order of the world's time. Whoever runs owns what it schedules; what belongs to a dead
 * owner never happens.
 */
export class Schedule {
  /** The owner of what runs now. */
  current: Owner = OUTSIDE;
  /** How far the clock of the machine is off, ms; never ahead. */
  skew = 0;
  private time: number;
  private frozen = 0;
  private readonly heap: Happening[] = [];
  private readonly turns: Happening[] = [];

  constructor(
    start: number,
    private readonly order: Random,
  ) {
    this.time = start;
  }

  /** ms since the epoch, with fractions. */
  get now(): number {
    return this.time;
  }

  get waiting(): number {
    return this.heap.length + this.turns.length;
  }

  after(ms: number, name: string, run: () => void, owner = this.current): Happening {
    const at = this.time + Math.max(ms, 0);
    const happening = { at, tie: this.order.next(), owner, name, run };
    push(this.heap, happening);
    return happening;
  }

  /** In the next turn, after those that wait for theirs already. */
  turn(name: string, run: () => void, owner = this.current): Happening {
    const happening = { at: this.time, tie: 0, owner, name, run };
    this.turns.push(happening);
    return happening;
  }

  /** Lets go of what belongs to a dead owner, or of everything. */
  forget(owner: Owner | null): void {
    for (const happening of [...this.heap, ...this.turns]) {
      if (owner === null || happening.owner === owner) happening.run = null;
    }
  }

  /** Lets time pass while something runs. */
  spend(ms: number): void {
    this.time += ms;
  }

  /** What falls due while its owner is frozen happens when that is over, in the same order. */
  private putOff(next: Happening): void {
    next.at = next.owner.frozenUntil;
    next.tie = (this.frozen += 1) / 2 ** 32;
    push(this.heap, next);
  }

  /** The next to happen, and the time is then its time; null if nothing waits. */
  take(): Happening | null {
    for (;;) {
      const first = this.heap[0];
      // Work that is ready and work that falls due at the same time come in any order.
      const isTurn = this.turns.length > 0 && (!first || first.at > this.time || this.order.chance(0.5));
      const next = isTurn ? this.turns.shift() : pop(this.heap);
      if (!next) return null;
      if (next.run === null || !next.owner.alive) continue;
      if (next.owner.frozenUntil > Math.max(this.time, next.at)) {
        this.putOff(next);
        continue;
      }
      this.time = Math.max(this.time, next.at);
      this.current = next.owner;
      return next;
    }
  }
}

const isBefore = (a: Happening, b: Happening): boolean => a.at < b.at || (a.at === b.at && a.tie < b.tie);

function push(heap: Happening[], item: Happening): void {
  let n = heap.push(item) - 1;
  while (n > 0) {
    const parent = (n - 1) >> 1;
    if (!isBefore(item, heap[parent]!)) break;
    heap[n] = heap[parent]!;
    n = parent;
  }
  heap[n] = item;
}

function pop(heap: Happening[]): Happening | undefined {
  const top = heap[0];
  const last = heap.pop();
  if (!top || !last || heap.length === 0) return top;
  let n = 0;
  for (;;) {
    let child = 2 * n + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child += 1;
    if (!isBefore(heap[child]!, last)) break;
    heap[n] = heap[child]!;
    n = child;
  }
  heap[n] = last;
  return top;
}
