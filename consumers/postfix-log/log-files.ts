import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { LogFile, type FileRead } from './log-file';
import type { LogPosition } from './log-position';

/** Real time that a renamed file is read on after its last line: its writer may not have noticed yet, ms. */
const LINGER = 1_000;
/** Real time after which a renamed file is not looked at any more, ms. */
const FORGET_AFTER = 900_000;
const COMPRESSED = /\.(?:gz|bz2|xz|zst|lz4)$/;
/** File systems keep times to about this, ms. */
const SAME_TIME = 1_000;

const NOTHING: FileRead = { lines: [], gap: null, atEnd: false };

/**
 * The log under one path through all rotations: a file that was renamed is read to its end, then the one that followed
 * it. A file that was cut short, and a successor that cannot be told for certain, are gaps.
 */
export class LogFiles {
  private current: LogFile | null = null;
  /** Renamed, but perhaps still written to for a while. */
  private previous: { file: LogFile; until: number } | null = null;
  private linger: { since: number; at: LogPosition } | null = null;

  constructor(
    private readonly path: string,
    /** Real time, ms. */
    private readonly realTime: () => number = () => performance.now(),
  ) {}

  /** Goes on at a position. False when its file is not there any more: then it begins with the file that is. */
  async openAt(position: LogPosition): Promise<boolean> {
    for (const path of [this.path, ...(await this.siblings()).map(({ path: found }) => found)]) {
      this.current = await openIfThere(path, position);
      if (this.current) return true;
    }
    this.current = await openIfThere(this.path, 'begin');
    return false;
  }

  /** Begins at the end of the log. False when there is none yet. */
  async openAtEnd(): Promise<boolean> {
    this.current = await openIfThere(this.path, 'end');
    return this.current !== null;
  }

  /** Where the next line begins; null before there is a file. */
  get position(): LogPosition | null {
    return this.current?.position ?? null;
  }

  /**
   * The next lines, at most up to `until`, and whether everything that is written by now was read. Rejects with what
   * the file system says.
   */
  async read(until: LogPosition | null = null): Promise<FileRead> {
    const late = await this.readPrevious();
    if (late.lines.length > 0 || late.gap !== null) return { ...late, atEnd: false };
    if (!this.current) {
      // The first file, or one that a rotation has not made yet.
      this.current = await openIfThere(this.path, 'begin');
      return this.current ? NOTHING : { ...NOTHING, atEnd: false };
    }
    const found = await this.current.read(until?.file === this.current.file ? until.offset : null);
    if (!found.atEnd) return found;
    return (await inodeOf(this.path)) === this.current.file ? this.settled(found) : this.afterRename(found);
  }

  async close(): Promise<void> {
    await this.current?.close();
    await this.previous?.file.close();
    this.current = null;
    this.previous = null;
  }

  private settled(found: FileRead): FileRead {
    this.linger = null;
    return found;
  }

  /** Moves on to the next file once the renamed one is quiet. */
  private async afterRename(found: FileRead): Promise<FileRead> {
    const current = this.current as LogFile;
    const at = current.position;
    const now = this.realTime();
    if (this.linger?.at.file !== at.file || this.linger.at.offset !== at.offset) this.linger = { since: now, at };
    if (found.lines.length > 0 || now - this.linger.since < LINGER) return { ...found, atEnd: false };
    const next = await this.successor(current);
    if (next === null) return { ...found, atEnd: false };
    await this.previous?.file.close();
    this.previous = { file: current, until: now + FORGET_AFTER };
    this.linger = null;
    this.current = next.file;
    return { ...found, gap: next.gap, atEnd: false };
  }

  /** Lines that were written to a renamed file after all. */
  private async readPrevious(): Promise<FileRead> {
    if (!this.previous) return NOTHING;
    if (this.realTime() < this.previous.until) return this.previous.file.read();
    await this.previous.file.close();
    this.previous = null;
    return NOTHING;
  }

  /** The file that was begun after `current`: the one with the oldest last line among those written after it. */
  private async successor(current: LogFile): Promise<{ file: LogFile; gap: string | null } | null> {
    const endedAt = Math.floor(await current.writtenAt());
    const others = (await this.siblings()).filter(({ inode }) => inode !== current.file);
    const newer = others.filter(({ writtenAt }) => writtenAt >= endedAt).sort((a, b) => a.writtenAt - b.writtenAt);
    const packed = others.find(({ path, writtenAt }) => COMPRESSED.test(path) && writtenAt > endedAt + SAME_TIME);
    const first = newer.find(({ path }) => !COMPRESSED.test(path))?.path ?? this.path;
    const file = await openIfThere(first, 'begin');
    return file && { file, gap: packed ? `a file between two was compressed: ${basename(packed.path)}` : null };
  }

  /** The log and the files that were renamed from it. */
  private async siblings(): Promise<{ path: string; inode: string; writtenAt: number }[]> {
    const [folder, name] = [dirname(this.path), basename(this.path)];
    const names = (await readdir(folder)).filter(
      (one) => one.startsWith(name) && /^(?:$|[.-])/.test(one.slice(name.length)),
    );
    const found = await Promise.all(
      names.map(async (one) => {
        const path = join(folder, one);
        const facts = await stat(path, { bigint: true }).catch(() => null);
        return facts?.isFile() ? [{ path, inode: String(facts.ino), writtenAt: Number(facts.mtimeMs) }] : [];
      }),
    );
    return found.flat();
  }
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

async function inodeOf(path: string): Promise<string | null> {
  try {
    return String((await stat(path, { bigint: true })).ino);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

async function openIfThere(path: string, where: 'begin' | 'end' | LogPosition): Promise<LogFile | null> {
  try {
    return await LogFile.open(path, where);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}
