import type { Line } from './history';

/** Something that must not be. */
export interface Finding {
  /** The name of the broken rule, see docs/proof.md#the-judge. */
  rule: string;
  /** What it is about: `message <id>`, `workspace <number>`, `hook <name>` or `run`. */
  subject: string;
  text: string;
  /** The lines that show it. */
  lines: Line[];
}

/** An act, by its lines. */
interface Seen {
  asked: Line;
  answered: Line | null;
}

/** The lines of these acts, in the order of the history. */
export function linesOf(acts: readonly Seen[]): Line[] {
  const lines = acts.flatMap(({ asked, answered }) => (answered ? [asked, answered] : [asked]));
  return [...new Set(lines)].sort((a, b) => a.t - b.t);
}

/** Makes the findings of one subject. */
export function findingsOf(subject: string): {
  list: Finding[];
  add: (rule: string, text: string, acts: readonly Seen[]) => void;
} {
  const list: Finding[] = [];
  return { list, add: (rule, text, acts) => void list.push({ rule, subject, text, lines: linesOf(acts) }) };
}
