import { createReadStream, statSync } from 'node:fs';
import { basename } from 'node:path';
import { CsvFileError, type ColumnNames } from '../../app/operator/csv-rows';
import { CsvFile, type GivenFormat } from '../../lib/csv/csv-file';
import { UnavailableError } from '../../lib/errors';
import { printable } from '../../lib/printable';
import type { Terminal } from './command';
import { formatPiece } from './csv-columns';
import type { Piece } from './output';
import { OperationError, type Progress, UsageError } from '../../operations/spec';

/** A CSV file to import: its path, its bytes if they are known, and what the operator says of it. */
export interface GivenFile {
  path: string;
  size: number | null;
  format: GivenFormat;
}

/** A CSV file as it is being imported. */
export interface OpenedFile {
  file: CsvFile;
  /** Takes the column that each field was found in. */
  onHeader: (found: ColumnNames<string>) => void;
  /** Reports a refused line, as it is found. */
  onRefused: (line: number, reason: string) => void;
}

/**
 * Imports a file, or standard input for `-`, with a bar and a report of the refused lines. Resolves with the result and
 * how the file was read. Throws UsageError when the file cannot be read.
 */
export async function withCsvFile<T>(
  terminal: Terminal,
  { path, size, format }: GivenFile,
  work: (opened: OpenedFile) => Promise<T>,
): Promise<{ result: T; format: Piece }> {
  const refused = terminal.listing('errors');
  const bar = terminal.progress('read', size, (bytes) => `${(bytes / 1e6).toFixed(1)} MB`);
  const bytes = path === '-' ? terminal.stdin : createReadStream(path);
  const file = new CsvFile(watched(bytes, bar), format);
  let columns: ColumnNames<string> = {};
  try {
    const result = await work({
      file,
      onHeader: (found) => (columns = found),
      onRefused: (line, reason) => {
        bar.done();
        refused({ text: `line ${line}: ${printable(reason)}\n`, json: { line, reason } });
      },
    });
    return { result, format: formatPiece(file.format, columns) };
  } catch (error) {
    throw asOperationError(error, path);
  } finally {
    bar.done();
  }
}

/** The name of a file in messages. */
export const fileName = (path: string): string => (path === '-' ? 'standard input' : basename(path));

/** Bytes of the file; null when it cannot be known. Throws UsageError. */
export function sizeOf(path: string): number | null {
  if (path === '-') return null;
  try {
    const stat = statSync(path);
    if (stat.isDirectory()) throw unreadable(path, 'it is a folder');
    return stat.isFile() ? stat.size : null;
  } catch (error) {
    throw error instanceof UsageError ? error : unreadable(path, (error as Error).message);
  }
}

const unreadable = (path: string, why: string): UsageError =>
  new UsageError(`${fileName(path)} cannot be read: ${why}`, 'Give a CSV file, or - for standard input.', '<file>');

async function* watched(chunks: AsyncIterable<Buffer | string>, bar: Progress): AsyncGenerator<Buffer | string> {
  for await (const chunk of chunks) {
    yield chunk;
    bar.step(chunk.length);
  }
}

function asOperationError(error: unknown, path: string): unknown {
  if (error instanceof CsvFileError) return new UsageError(`${fileName(path)}: ${error.message}`, error.fix, '<file>');
  if (error instanceof UnavailableError) {
    return new OperationError(error.message, 'Run it again: what was imported stays, the rest follows.');
  }
  return (error as NodeJS.ErrnoException).syscall === undefined ? error : unreadable(path, (error as Error).message);
}
