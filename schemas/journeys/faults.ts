import type { Reason } from '../../lib/reason';

/** What is wrong with a file, and on which line, from 1. */
export interface LineFault {
  line: number;
  reason: Reason;
}

/** A file with more faults than this is not what it was meant to be. */
const MAX_FAULTS = 100;

/** Collects the faults of a file. */
export class Faults {
  private readonly found: LineFault[] = [];

  add(line: number, reason: Reason): void {
    this.found.push({ line, reason });
  }

  /** More than anyone reads: further ones need no help. */
  get isFull(): boolean {
    return this.found.length >= MAX_FAULTS;
  }

  get count(): number {
    return this.found.length;
  }

  /** By line; at most 100. */
  list(): LineFault[] {
    return this.found.toSorted((a, b) => a.line - b.line).slice(0, MAX_FAULTS);
  }
}
