import type { Counts } from './counts';

/** One class of a run, against the least that it must have covered. */
export interface Gate {
  name: string;
  seen: number;
  least: number;
  isOpen: boolean;
}

/** Every class that a run must cover, with what it did: a success with a gate that is not open is an empty one. */
export const gatesOf = (counts: Counts, least: Readonly<Record<string, number>>): Gate[] =>
  Object.entries(least).map(([name, wanted]) => {
    const seen = counts[name] ?? 0;
    return { name, seen, least: wanted, isOpen: seen >= wanted };
  });
