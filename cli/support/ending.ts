import type { Writable } from 'node:stream';

/** How long closing what a command opened may take after its answer, ms of real time. */
export const CLOSING_LIMIT = 4_000;

export interface EndingProcess {
  stdout: Writable;
  stderr: Writable;
  exitCode?: number | string | null | undefined;
  exit(): void;
}

/**
 * Ends the process after a command has answered, though something keeps it: a server that hangs may hold a connection
 * open for ever. Call the returned function with each exit code; the last one counts. What was written is read first,
 * however slow the reader of a pipe is.
 */
export function endAfterAnswer(process: EndingProcess, limit = CLOSING_LIMIT): (code: number) => void {
  let answered = false;
  return (code) => {
    process.exitCode = code;
    if (answered) return;
    answered = true;
    const flushed = [process.stdout, process.stderr].map((stream) => flush(stream));
    void Promise.all(flushed).then(() => setTimeout(() => process.exit(), limit).unref());
  };
}

/** Resolves once everything written before is with the system, or can never be. */
function flush(stream: Writable): Promise<void> {
  return new Promise((resolve) => stream.write('', () => resolve()));
}
