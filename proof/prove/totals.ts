import type { Outcome } from './play';

export interface FoundFault {
  seed: number;
  rule: string;
  subject: string;
  text: string;
  story: string;
}

/** What all seeds together covered and found. */
export class Totals {
  seeds = 0;
  operations = 0;
  events = 0;
  /** ms */
  simulated = 0;
  /** How many worlds had each part. */
  readonly worlds: Record<string, number> = {};
  readonly counts: Record<string, number> = {};
  readonly faults: Record<string, number> = {};
  readonly found: FoundFault[] = [];
  /** Seeds whose world failed. */
  readonly broken: { seed: number; error: string }[] = [];

  add({ seed, operations, events, simulated, parts, counts, faults, findings, error }: Outcome): void {
    this.seeds += 1;
    this.operations += operations;
    this.events += events;
    this.simulated += simulated;
    sum(this.worlds, Object.fromEntries(parts.map((part) => [part, 1])));
    sum(this.counts, counts);
    sum(this.faults, faults);
    for (const finding of findings) this.found.push({ seed, ...finding });
    if (error !== null) this.broken.push({ seed, error });
  }

  /** Places at which the program died: before and after each call of a store. */
  get points(): number {
    return Object.keys(this.faults).filter((name) => name.startsWith('kill ')).length;
  }

  /** Deaths of the program, by named point. */
  get kills(): number {
    return Object.entries(this.faults).reduce((all, [name, n]) => all + (name.startsWith('kill ') ? n : 0), 0);
  }
}

function sum(into: Record<string, number>, from: Readonly<Record<string, number>>): void {
  for (const [name, n] of Object.entries(from)) into[name] = (into[name] ?? 0) + n;
}
