import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { CHECKSUMS } from './manifest';
import { padding, TAR_END, tarHeader } from './tar';

const CHUNK = 1024 * 1024;

/** Writes a backup: a tar archive of mode 0600 that ends with the checksums of its files. Memory stays flat. */
export class ArchiveWriter {
  private readonly sums: string[] = [];

  private constructor(
    private readonly file: FileHandle,
    /** Seconds. */
    private readonly mtime: number,
  ) {}

  /** Creates the file; rejects when it exists. `now` in ms. */
  static async create(path: string, now: number): Promise<ArchiveWriter> {
    return new ArchiveWriter(await open(path, 'wx', 0o600), Math.floor(now / 1_000));
  }

  /** Adds a short file. */
  async addText(name: string, content: string): Promise<void> {
    const bytes = Buffer.from(content);
    await this.begin(name, bytes.length);
    await this.writeAll(bytes);
    await this.end(name, bytes.length, createHash('sha256').update(bytes).digest('hex'));
  }

  /** Adds `size` bytes of the file at `path`. */
  async addFile(name: string, path: string, size: number, onBytes: (count: number) => void): Promise<void> {
    const source = await open(path, 'r');
    try {
      await this.begin(name, size);
      const hash = createHash('sha256');
      const buffer = Buffer.alloc(Math.min(CHUNK, Math.max(size, 1)));
      for (let left = size; left > 0;) {
        const { bytesRead } = await source.read(buffer, 0, Math.min(buffer.length, left));
        if (bytesRead === 0) throw new Error(`${path} shrank while it was being read`);
        const chunk = buffer.subarray(0, bytesRead);
        hash.update(chunk);
        await this.writeAll(chunk);
        left -= bytesRead;
        onBytes(bytesRead);
      }
      await this.end(name, size, hash.digest('hex'));
    } finally {
      await source.close();
    }
  }

  /** Writes the checksums and the end; resolves once the archive is on disk. */
  async finish(): Promise<void> {
    await this.addText(CHECKSUMS, this.sums.map((line) => `${line}\n`).join(''));
    await this.writeAll(TAR_END);
    await this.file.sync();
  }

  async close(): Promise<void> {
    await this.file.close();
  }

  private begin(name: string, size: number): Promise<void> {
    return this.writeAll(tarHeader({ name, size }, this.mtime));
  }

  private async end(name: string, size: number, sum: string): Promise<void> {
    await this.writeAll(Buffer.alloc(padding(size)));
    this.sums.push(`${sum}  ${name}`);
  }

  private async writeAll(bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length;) at += (await this.file.write(bytes, at)).bytesWritten;
  }
}
