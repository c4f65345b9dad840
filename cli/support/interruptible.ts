import type { Terminal } from './command';
import type { Answer } from './output';

/** Shells expect this code from a program that SIGINT ended. */
export const INTERRUPTED = 130;

/** Runs work that the first Ctrl-C ends cleanly, without a result; exit code 130. */
export async function interruptible(
  { host }: Terminal,
  work: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const signal = host.interrupts?.() ?? new AbortController().signal;
  try {
    return await work(signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    return { text: 'Stopped; nothing was kept.\n', json: { stopped: true }, code: INTERRUPTED };
  }
}
