import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { StartError } from '../../lib/start-error';
import { CHECKSUMS } from './manifest';
import { BLOCK, padding, readTarHeader, type TarEntry } from './tar';

const CHUNK = 1024 * 1024;
/** Manifest and checksums are short. */
const MAX_TEXT = 1_000_000;

/** Reads a backup from its beginning to its end, one file after another. Memory stays flat. */
export class ArchiveReader {
  private readonly sums = new Map<string, string>();

  private constructor(
    private readonly file: FileHandle,
    private readonly path: string,
  ) {}

  /** Throws StartError when the file cannot be read. */
  static async open(path: string): Promise<ArchiveReader> {
    try {
      return new ArchiveReader(await open(path, 'r'), path);
    } catch (error) {
      throw unreadable(path, error);
    }
  }

  /**
   * The next file; null at the end of the archive. Read its content next. Rejects with StartError when it is damaged.
   */
  async next(): Promise<TarEntry | null> {
    const header = await this.read(BLOCK);
    try {
      return readTarHeader(header);
    } catch (error) {
      throw this.damaged(error);
    }
  }

  /** The content of the file that `next` named, as text. */
  async text(entry: TarEntry): Promise<string> {
    if (entry.size > MAX_TEXT) throw this.damaged();
    const chunks: Buffer[] = [];
    await this.content(entry, async (chunk) => void chunks.push(Buffer.from(chunk)));
    return Buffer.concat(chunks).toString('utf8');
  }

  /** Passes on the content of the file that `next` named, chunk by chunk; a chunk is valid until its call ends. */
  async content({ name, size }: TarEntry, onChunk: (chunk: Buffer) => Promise<void>): Promise<void> {
    const hash = createHash('sha256');
    const buffer = Buffer.alloc(Math.min(CHUNK, Math.max(size, 1)));
    for (let left = size; left > 0;) {
      const chunk = await this.read(Math.min(buffer.length, left), buffer);
      hash.update(chunk);
      await onChunk(chunk);
      left -= chunk.length;
    }
    await this.read(padding(size));
    this.sums.set(name, hash.digest('hex'));
  }

  /** Compares every file read so far with the checksums. Throws StartError when one differs or has none. */
  verify(checksums: string): void {
    const expected = new Map(
      checksums
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => [line.slice(66), line.slice(0, 64)]),
    );
    for (const [name, sum] of this.sums) {
      if (name !== CHECKSUMS && expected.get(name) !== sum) {
        throw new StartError(`The backup ${this.path} is damaged: the content of ${name} has changed.`);
      }
    }
  }

  async close(): Promise<void> {
    await this.file.close();
  }

  /** Exactly `length` bytes. */
  private async read(length: number, into = Buffer.alloc(length)): Promise<Buffer> {
    for (let at = 0; at < length;) {
      const { bytesRead } = await this.file.read(into, at, length - at).catch((error: unknown) => {
        throw unreadable(this.path, error);
      });
      if (bytesRead === 0) throw this.damaged();
      at += bytesRead;
    }
    return into.subarray(0, length);
  }

  /** What is there is not the file `name` of the manifest. */
  unexpected(name: string): StartError {
    return new StartError(`The backup ${this.path} is damaged: ${name} does not match its manifest.`);
  }

  private damaged(cause?: unknown): StartError {
    return new StartError(`${this.path} is not a complete backup made by kurir backup.`, { cause });
  }
}

const unreadable = (path: string, error: unknown): StartError =>
  new StartError(`The backup ${path} cannot be read: ${(error as Error).message}`, { cause: error });
