import { open, type FileHandle } from 'node:fs/promises';
import { TAIL, type LogPosition } from './log-position';

const CHUNK = 1_000_000;
const NEWLINE = 10;

/** What one read of a file found. */
export interface FileRead {
  lines: string[];
  /** Why lines may be missing; null when none are. */
  gap: string | null;
  /** Nothing more is there, not even a part of a line. */
  atEnd: boolean;
}

/** One log file, read forward line by line. It stays open under whatever name it gets. */
export class LogFile {
  private constructor(
    private readonly handle: FileHandle,
    /** Inode. */
    readonly file: string,
    private offset: number,
    private tail: Buffer,
  ) {}

  /** Opens it at its beginning, at its end, or at a position. Null when it is not the file of the position. */
  static async open(path: string, where: 'begin' | 'end' | LogPosition): Promise<LogFile | null> {
    const handle = await open(path, 'r');
    try {
      const { ino, size } = await handle.stat({ bigint: true });
      const file = new LogFile(handle, String(ino), 0, Buffer.alloc(0));
      if (where === 'end') await file.skipTo(Number(size));
      else if (where !== 'begin') {
        if (where.file !== file.file) return await closed(handle);
        file.offset = where.offset;
        file.tail = Buffer.from(where.tail, 'base64');
        if (!(await file.isUnchanged())) return await closed(handle);
      }
      return file;
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  get position(): LogPosition {
    return { file: this.file, offset: this.offset, tail: this.tail.toString('base64') };
  }

  /** When it was last written, ms. */
  async writtenAt(): Promise<number> {
    return (await this.handle.stat()).mtimeMs;
  }

  /** The next lines, at most up to `until` (bytes). When the file was cut short, it goes on from its beginning. */
  async read(until: number | null = null): Promise<FileRead> {
    const { size } = await this.handle.stat();
    if (size === this.offset) return { lines: [], gap: null, atEnd: true };
    if (size < this.offset || !(await this.isUnchanged())) {
      this.offset = 0;
      this.tail = Buffer.alloc(0);
      return { lines: [], gap: 'the file was truncated or overwritten', atEnd: false };
    }
    const most = until !== null && until > this.offset ? Math.min(CHUNK, until - this.offset) : CHUNK;
    const bytes = await this.bytes(this.offset, most);
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    if (end === 0 && bytes.length < CHUNK) return { lines: [], gap: null, atEnd: false };
    const read = end === 0 ? bytes : bytes.subarray(0, end);
    this.offset += read.length;
    this.tail = Buffer.from(Buffer.concat([this.tail, read.subarray(-TAIL)]).subarray(-TAIL));
    if (end === 0) return { lines: [], gap: 'a line is longer than a megabyte', atEnd: false };
    const text = read.toString('utf8');
    return {
      lines: text.split('\n').slice(0, -1),
      // Left by a crash of the host, in place of lines that were not written.
      gap: text.includes('\0') ? 'the file contains bytes that are not text' : null,
      atEnd: end === bytes.length && this.offset >= size,
    };
  }

  close(): Promise<void> {
    return this.handle.close();
  }

  /** Begins behind the last whole line up to `size`. */
  private async skipTo(size: number): Promise<void> {
    const from = Math.max(0, size - CHUNK);
    const bytes = (await this.bytes(from, CHUNK)).subarray(0, size - from);
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    this.offset = from + end;
    this.tail = Buffer.from(bytes.subarray(Math.max(0, end - TAIL), end));
  }

  private async isUnchanged(): Promise<boolean> {
    if (this.tail.length === 0) return true;
    const found = await this.bytes(this.offset - this.tail.length, this.tail.length);
    return found.equals(this.tail);
  }

  private async bytes(from: number, most: number): Promise<Buffer> {
    const buffer = Buffer.allocUnsafe(most);
    const { bytesRead } = await this.handle.read(buffer, 0, most, from);
    return buffer.subarray(0, bytesRead);
  }
}

async function closed(handle: FileHandle): Promise<null> {
  await handle.close();
  return null;
}
