import { readdirSync, readFileSync } from 'node:fs';

/** Milliseconds per tick in /proc, on every Linux that Node runs on. */
const TICK = 10;

/** Processor time, ms. */
export interface ThreadUsage {
  all: number;
  /** The thread that has the event loop of the process. */
  main: number;
  /**
   * The busiest other thread: that of the store when messages are accepted, that of composing when they are handed
   * over.
   */
  next: number;
}

/** Processor time of the threads of a process by their ids, ms; null where /proc is missing. */
export function readThreads(pid: number): Map<number, number> | null {
  try {
    return new Map(readdirSync(`/proc/${pid}/task`).map((id) => [Number(id), usedBy(`/proc/${pid}/task/${id}/stat`)]));
  } catch {
    return null;
  }
}

function usedBy(stat: string): number {
  const text = readFileSync(stat, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK;
}

/** What was used between two readings; NaN where one of them is missing. */
export function usedBetween(
  before: ReadonlyMap<number, number> | null,
  after: ReadonlyMap<number, number> | null,
  pid: number,
): ThreadUsage {
  if (!before || !after) return { all: NaN, main: NaN, next: NaN };
  const used = [...after].map(([id, ms]) => [id, ms - (before.get(id) ?? 0)] as const);
  const others = used.flatMap(([id, ms]) => (id === pid ? [] : [ms]));
  const main = used.find(([id]) => id === pid)?.[1] ?? NaN;
  return { all: used.reduce((sum, [, ms]) => sum + ms, 0), main, next: Math.max(0, ...others) };
}
