import type { Terminal } from './command';

/** Shells expect this code from a program that SIGINT ended. */
export const INTERRUPTED = 130;

/** The answer of work that was stopped. */
export interface Stopped {
  stopped: true;
}

/** Runs work that the first Ctrl-C ends cleanly, without a result. */
export async function interruptible<R>(
  { host }: Terminal,
  work: (signal: AbortSignal) => Promise<R>,
): Promise<R | Stopped> {
  const signal = host.interrupts?.() ?? new AbortController().signal;
  try {
    return await work(signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    return { stopped: true };
  }
}

/** How work that may be stopped answers: `textOf` shows its result. */
export const stoppable = <R extends object>(textOf: (result: R) => string) => ({
  code: (result: R | Stopped) => ('stopped' in result ? INTERRUPTED : 0),
  text: (result: R | Stopped): string => ('stopped' in result ? 'Stopped; nothing was kept.\n' : textOf(result)),
});
