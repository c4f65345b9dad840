import type { Happening, Schedule } from './schedule';

interface Waiter {
  /** ms of the program's time */
  due: number;
  happening: Happening;
  end: () => void;
}

/** Waits of those around the program that go by its time, so that they are over when that time has moved on. */
export class Waits {
  private readonly all = new Set<Waiter>();

  /** `now`: the program's time, ms. */
  constructor(
    private readonly schedule: Schedule,
    private readonly now: () => number,
  ) {}

  wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        this.all.delete(waiter);
        resolve();
      };
      const waiter: Waiter = { due: this.now() + ms, end, happening: this.schedule.after(ms, 'wait', end) };
      this.all.add(waiter);
    });
  }

  /** How long until the next is over, ms; Infinity if nobody waits. */
  nextDue(): number {
    let due = Infinity;
    for (const waiter of this.all) due = Math.min(due, waiter.due);
    return due - this.now();
  }

  /** The program's time has moved on. */
  moved(): void {
    for (const waiter of this.all) {
      const { happening, end } = waiter;
      happening.run = null;
      waiter.happening = this.schedule.after(waiter.due - this.now(), 'wait', end, happening.owner);
    }
  }
}
