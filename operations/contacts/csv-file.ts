import { createReadStream, statSync } from 'node:fs';
import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { CsvFileError, fileFault, type ColumnNames } from './csv-rows';
import { CsvFile, type GivenFormat } from '../../lib/csv/csv-file';
import { UnavailableError } from '../../lib/errors';
import type { Reason, Value } from '../../lib/reason';
import { printable } from '../../lib/printable';
import { formatPiece } from './csv-columns';
import { FileContent, OperationError, type Piece, type Progress, type Session, UsageError, why } from '../definition';

/** A CSV file to import: its path or content, its bytes if they are known, and what the operator says of it. */
export interface GivenFile {
  file: string | FileContent;
  size: number | null;
  format: GivenFormat;
  /** Its bytes, if they are read several times. */
  bytes?: AsyncIterable<Buffer | string>;
}

/** A CSV file as it is being imported. */
export interface OpenedFile {
  file: CsvFile;
  /** Takes the column that each field was found in. */
  onHeader: (found: ColumnNames<string>) => void;
  /** Reports a refused line, as it is found. */
  onRefused: (line: number, reason: Reason) => void;
}

/** Refused lines that an answer holds; a terminal lists all. */
const MAX_ERRORS = 1_000;

/** A line that was refused. */
export interface RefusedLine {
  line: number;
  reason: Reason;
}

type CsvSession = Pick<Session, 'stdin' | 'progress' | 'listing'>;

/** Bytes that a content is read in at once. */
const CHUNK = 65_536;

type Bytes = () => AsyncIterable<Buffer | string>;

/**
 * Gives `work` a file that can be read several times. Standard input is kept meanwhile in a temporary file without a
 * name, which ends with the process.
 */
export async function rereading<T>(
  { stdin }: Pick<Session, 'stdin'>,
  file: string | FileContent,
  work: (bytes: Bytes) => Promise<T>,
): Promise<T> {
  if (file !== '-') return work(() => bytesOf(file));
  const kept = await nameless();
  try {
    for await (const chunk of stdin) await kept.write(Buffer.from(chunk as Buffer));
    return await work(() => createReadStream('', { fd: kept.fd, start: 0, autoClose: false }));
  } finally {
    await kept.close();
  }
}

async function nameless(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'kurir-'));
  const handle = await open(join(folder, 'stdin'), 'wx+', 0o600);
  await rm(folder, { recursive: true });
  return handle;
}

const bytesOf = (file: string | FileContent): AsyncIterable<Buffer | string> =>
  file instanceof FileContent ? chunksOf(file.bytes) : createReadStream(file);

async function* chunksOf(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += CHUNK) yield bytes.subarray(at, at + CHUNK);
}

/**
 * Imports a file, or standard input for `-`, with a bar and a report of the refused lines. Resolves with the result,
 * how the file was read, and the refused lines, if they are not listed as they come. Throws UsageError when the file
 * cannot be read.
 */
export async function withCsvFile<T>(
  session: CsvSession,
  { file: given, size, format, bytes: source }: GivenFile,
  work: (opened: OpenedFile) => Promise<T>,
): Promise<{ result: T; format: Piece; errors: readonly RefusedLine[] | null }> {
  const refused = session.listing?.('errors');
  const errors: RefusedLine[] = [];
  const bar = session.progress('read', size, (bytes) => `${(bytes / 1e6).toFixed(1)} MB`);
  const bytes = source ?? (given === '-' ? session.stdin : bytesOf(given));
  const file = new CsvFile(watched(bytes, bar), format);
  let columns: ColumnNames<string> = {};
  try {
    const result = await work({
      file,
      onHeader: (found) => (columns = found),
      onRefused: (line, reason) => {
        if (!refused) {
          if (errors.length < MAX_ERRORS) errors.push({ line, reason });
          return;
        }
        bar.done();
        refused({ text: `line ${line}: ${printable(String(reason))}\n`, json: { line, reason } });
      },
    });
    return { result, format: formatPiece(file.format, columns), errors: refused ? null : errors };
  } catch (error) {
    throw asOperationError(error, given);
  } finally {
    bar.done();
  }
}

/** The name of a file in messages. */
export function fileName(file: string | FileContent): string {
  if (file instanceof FileContent) return basename(file.name);
  return file === '-' ? 'standard input' : basename(file);
}

/** Bytes of the file; null when it cannot be known. Throws UsageError. */
export function sizeOf(path: string | FileContent): number | null {
  if (path instanceof FileContent) return path.bytes.length;
  if (path === '-') return null;
  try {
    const stat = statSync(path);
    if (stat.isDirectory()) throw unreadable(path, fileFault('folder'));
    return stat.isFile() ? stat.size : null;
  } catch (error) {
    throw error instanceof UsageError ? error : unreadable(path, (error as Error).message);
  }
}

const unreadable = (path: string | FileContent, error: Value): UsageError =>
  new UsageError(
    why('unreadable', { name: fileName(path), error }),
    'Give a CSV file, or - for standard input.',
    '<file>',
  );

async function* watched(chunks: AsyncIterable<Buffer | string>, bar: Progress): AsyncGenerator<Buffer | string> {
  for await (const chunk of chunks) {
    yield chunk;
    bar.step(chunk.length);
  }
}

/** The error of reading a file in the operator's words. */
export function asOperationError(error: unknown, path: string | FileContent): unknown {
  if (error instanceof CsvFileError) {
    return new UsageError(why('of_file', { name: fileName(path), reason: error.reason }), error.fix, error.argument);
  }
  if (error instanceof UnavailableError) {
    return new OperationError(
      why('store', { text: error.message }),
      'Run it again: imported rows are kept, and the rest is added.',
    );
  }
  return (error as NodeJS.ErrnoException).syscall === undefined ? error : unreadable(path, (error as Error).message);
}
