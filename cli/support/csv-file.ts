import { createReadStream, statSync } from 'node:fs';
import { CsvFileError } from '../../app/operator/csv-rows';
import { UnavailableError } from '../../lib/errors';
import type { Session } from './command';
import { CommandError, UsageError } from './errors';
import type { Progress } from './progress';
import { printable } from './text';

/** A CSV file as it is being imported. */
export interface OpenedFile {
  bytes: AsyncIterable<Buffer | string>;
  /** Reports a refused line, as it is found. */
  onRefused: (line: number, reason: string) => void;
}

/**
 * Imports a file, or standard input for `-`, with a bar and a report of the refused lines. Throws UsageError when the
 * file cannot be read.
 */
export async function withCsvFile<T>(
  session: Session,
  { file, size }: { file: string; size: number | null },
  work: (opened: OpenedFile) => Promise<T>,
): Promise<T> {
  const refused = session.listing('errors');
  const bar = session.progress('read', size, (bytes) => `${(bytes / 1e6).toFixed(1)} MB`);
  const bytes = file === '-' ? session.host.stdin : createReadStream(file);
  try {
    return await work({
      bytes: watched(bytes, bar),
      onRefused: (line, reason) => {
        bar.done();
        refused({ text: `line ${line}: ${printable(reason)}\n`, json: { line, reason } });
      },
    });
  } catch (error) {
    throw asCommandError(error);
  } finally {
    bar.done();
  }
}

/** Bytes of the file; null when it cannot be known. Throws UsageError. */
export function sizeOf(file: string): number | null {
  if (file === '-') return null;
  try {
    const stat = statSync(file);
    if (stat.isDirectory()) throw unreadable('it is a folder');
    return stat.isFile() ? stat.size : null;
  } catch (error) {
    throw error instanceof UsageError ? error : unreadable((error as Error).message);
  }
}

const unreadable = (why: string): UsageError =>
  new UsageError(`<file> cannot be read: ${why}`, 'Give a CSV file, or - for standard input.', '<file>');

async function* watched(chunks: AsyncIterable<Buffer | string>, bar: Progress): AsyncGenerator<Buffer | string> {
  for await (const chunk of chunks) {
    yield chunk;
    bar.step(chunk.length);
  }
}

function asCommandError(error: unknown): unknown {
  if (error instanceof CsvFileError) return new UsageError(`<file>: ${error.message}`, error.fix, '<file>');
  if (error instanceof UnavailableError) {
    return new CommandError(error.message, 'Run it again: what was imported stays, the rest follows.');
  }
  return (error as NodeJS.ErrnoException).syscall === undefined ? error : unreadable((error as Error).message);
}
