import { accessSync, constants, statSync } from 'node:fs';
import { DamagedError, UnavailableError } from './errors';

/** A SQLite file of ours as people know it. */
export interface NamedFile {
  path: string;
  /** Begins a sentence: `The data file`. */
  what: string;
  /** Ends the sentence that says that it is damaged: what to do. */
  remedy: string;
}

/** SQLite's primary result codes for faults that may pass: busy, locked, read-only, I/O error, full, cannot open. */
const UNAVAILABLE = new Set([5, 6, 8, 10, 13, 14]);
/** Those for a file whose content is wrong: corrupt, not a database. */
const DAMAGED = new Set([11, 26]);

/** SQLite's words for these codes: its binding leaves the code of a statement that cannot be prepared out. */
const WORDS: Readonly<Record<string, number>> = {
  'database is locked': 5,
  'attempt to write a readonly database': 8,
  'disk I/O error': 10,
  'database disk image is malformed': 11,
  'database or disk is full': 13,
  'unable to open database file': 14,
  'file is not a database': 26,
};

/** SQLite's primary result code; null for other errors. Errors of its binding may come from another realm. */
export function sqliteCode(error: unknown): number | null {
  const { errcode, code, message } = (error ?? {}) as { errcode?: unknown; code?: unknown; message?: unknown };
  if (typeof errcode === 'number') return errcode & 0xff;
  return code === 'ERR_SQLITE_ERROR' && typeof message === 'string' ? (WORDS[message] ?? null) : null;
}

/** Why the file cannot be used, in a sentence with its path; null for an error that is not about the file. */
export function fileFault(error: unknown, file: NamedFile): UnavailableError | null {
  const code = sqliteCode(error);
  if (code === null) return null;
  const { message } = error as Error;
  if (DAMAGED.has(code)) return damaged(file, message, error);
  if (!UNAVAILABLE.has(code)) return null;
  const why = accessFault(file.path) ?? message;
  return new UnavailableError(`${file.what} ${file.path} cannot be used right now: ${why}`, { cause: error });
}

/** The fault of a file whose content is wrong. */
export const damaged = ({ path, what, remedy }: NamedFile, why: string, cause?: unknown): DamagedError =>
  new DamagedError(`${what} ${path} is damaged (${why}): ${remedy}.`, { cause });

/** What the system says of the file, which is clearer than SQLite's words; null where it allows all. */
function accessFault(path: string): string | null {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return null;
  if (stats.isDirectory()) return 'there is a directory in its place';
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}
