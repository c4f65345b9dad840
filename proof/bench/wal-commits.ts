import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const HEADER = 32;
const FRAME_HEADER = 24;

/**
 * Counts the transactions in the write-ahead log of a SQLite file (https://www.sqlite.org/fileformat2.html#walformat):
 * the last frame of each says how large the file is after it. A log that begins anew is counted from its start.
 */
export class WalCommits {
  total = 0;
  private salt = '';
  private frames = 0;

  constructor(private readonly file: string) {}

  /** Adds what was committed since the last look. Look often: what a checkpoint has taken over may be gone. */
  look(): void {
    const wal = openSync(this.file, 'r');
    try {
      this.read(wal);
    } finally {
      closeSync(wal);
    }
  }

  private read(wal: number): void {
    const header = read(wal, 0, HEADER);
    if (!header) return;
    const salt = header.toString('hex', 16, 24);
    if (salt !== this.salt) [this.salt, this.frames] = [salt, 0];
    const size = FRAME_HEADER + header.readUInt32BE(8);
    for (const { size: end } = fstatSync(wal); HEADER + (this.frames + 1) * size <= end; this.frames += 1) {
      const frame = read(wal, HEADER + this.frames * size, FRAME_HEADER);
      // What follows is of an earlier log.
      if (frame?.toString('hex', 8, 16) !== salt) return;
      if (frame.readUInt32BE(4) !== 0) this.total += 1;
    }
  }
}

function read(file: number, position: number, length: number): Buffer | null {
  const bytes = Buffer.alloc(length);
  return readSync(file, bytes, 0, length, position) === length ? bytes : null;
}
