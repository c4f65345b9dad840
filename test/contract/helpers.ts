import { setTimeout as sleep } from 'node:timers/promises';
import { giveUpAt } from '../support/limits';

const PAUSE = 20;

/**
 * Repeats the check until it passes, at most PATIENCE ms and before its test is ended; then fails with its last error.
 */
export async function eventually<T>(check: () => Promise<T>): Promise<T> {
  const end = giveUpAt();
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > end) throw error;
      await sleep(PAUSE);
    }
  }
}

/** Waits until it holds, as long as `eventually` does, and looks `every` ms; the error shows what did not hold. */
export async function until(holds: () => boolean | Promise<boolean>, every = PAUSE): Promise<void> {
  const end = giveUpAt();
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`waited in vain for ${String(holds)}`);
    await sleep(every);
  }
}

/** Starts `count` calls at once; returns their results in order of the index. */
export function atOnce<T>(count: number, call: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => call(index)));
}

/** Runs `count` calls one after the other. */
export async function inTurn<T>(count: number, call: (index: number) => Promise<T>): Promise<T[]> {
  const answers: T[] = [];
  for (let index = 0; index < count; index += 1) answers.push(await call(index));
  return answers;
}

/** The element at `index`; fails the case when there is none. */
export function at<T>(items: readonly T[], index: number): T {
  const item = items[index];
  if (item === undefined) throw new Error(`nothing at ${index} of ${items.length}`);
  return item;
}

/** The value; fails the case when it is null or undefined. */
export function present<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('expected a value');
  return value;
}
