import type { MailClass } from '../../domain/destinations/pace';

/** Ten turns, as the lanes of one workspace share them: eight for transactional mail, two for the others. */
const TURNS = 10;
const OF_BULK = [4, 9];

/**
 * Workspaces in the order in which they have their turn, in two lines: those that may have transactional mail to send,
 * and those that have bulk mail only. So a password reset does not wait for the campaigns of all other workspaces. Each
 * step costs the same, however many there are.
 */
export class ReadySet {
  private readonly lines: Readonly<Record<MailClass, Line>> = { transactional: new Line(), bulk: new Line() };
  private turn = 0;

  get size(): number {
    return this.lines.transactional.size + this.lines.bulk.size;
  }

  /** Which lines have someone waiting. */
  get waiting(): Record<MailClass, boolean> {
    return { transactional: this.lines.transactional.size > 0, bulk: this.lines.bulk.size > 0 };
  }

  has(id: number): boolean {
    return this.lines.transactional.has(id) || this.lines.bulk.has(id);
  }

  /** Adds it at the end. One that has bulk mail only moves when transactional mail comes. */
  add(id: number, mails: MailClass): void {
    if (mails === 'transactional') this.lines.bulk.delete(id);
    else if (this.lines.transactional.has(id)) return;
    this.lines[mails].add(id);
  }

  delete(id: number): boolean {
    return this.lines.transactional.delete(id) || this.lines.bulk.delete(id);
  }

  keys(): number[] {
    return [...this.lines.transactional.keys(), ...this.lines.bulk.keys()];
  }

  /** The next one that may have its turn, of the lines that may; undefined when there is none. */
  next(
    may: (id: number) => boolean,
    lines: Readonly<Record<MailClass, boolean>>,
  ): { id: number; mails: MailClass } | undefined {
    const first: MailClass = OF_BULK.includes(this.turn) ? 'bulk' : 'transactional';
    for (const mails of [first, first === 'bulk' ? 'transactional' : 'bulk'] as const) {
      const id = lines[mails] ? this.lines[mails].next(may) : undefined;
      if (id === undefined) continue;
      this.turn = (this.turn + 1) % TURNS;
      return { id, mails };
    }
    return undefined;
  }
}

class Line {
  private readonly ids = new Set<number>();
  /** Goes on behind what it has shown: a new iteration would step over everything that was deleted since. */
  private cursor = this.ids.values();

  get size(): number {
    return this.ids.size;
  }

  has(id: number): boolean {
    return this.ids.has(id);
  }

  add(id: number): void {
    this.ids.add(id);
  }

  delete(id: number): boolean {
    return this.ids.delete(id);
  }

  keys(): Iterable<number> {
    return this.ids;
  }

  next(may: (id: number) => boolean): number | undefined {
    for (const cursor of [this.cursor, this.ids.values()]) {
      this.cursor = cursor;
      for (let step = cursor.next(); !step.done; step = cursor.next()) if (may(step.value)) return step.value;
    }
    return undefined;
  }
}
