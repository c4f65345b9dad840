/** A place in a log file, by which the file is known again under another name. */
export interface LogPosition {
  /** Inode of the file. */
  file: string;
  /** Bytes before the first line that was not read. */
  offset: number;
  /** The last bytes before it, at most TAIL, base64: another file with the same inode has others. */
  tail: string;
}

export const TAIL = 64;

/** Reads a stored position; null when it is none. */
export function readPosition(value: unknown): LogPosition | null {
  if (typeof value !== 'object' || value === null) return null;
  const { file, offset, tail } = value as Partial<Record<keyof LogPosition, unknown>>;
  const isRight = typeof file === 'string' && Number.isSafeInteger(offset) && typeof tail === 'string';
  return isRight ? { file, offset: offset as number, tail } : null;
}
