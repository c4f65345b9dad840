import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config/config';
import { CLUSTER, openDataDir, UNFINISHED_RESTORE, type DataDir } from '../installation/data-dir';
import { StartError } from '../../lib/start-error';
import { ArchiveReader } from './archive-reader';
import { explainDiskFault } from './disk-fault';
import { CHECKSUMS, CONTENTS, MANIFEST, readManifest, type Manifest } from './manifest';
import { syncFolder } from './sync-folder';
import type { TarEntry } from './tar';

export interface RestoreOptions {
  /** Called with how many of how many bytes are done. */
  onProgress(done: number, total: number): void;
  /** Aborting it ends the restore and leaves an empty folder. */
  signal: AbortSignal;
}

const CLUSTER_ENGINE =
  'kurir restore works with the embedded engine only. A cluster keeps its data in MongoDB: use mongorestore --oplogReplay (docs/cluster.md#backup).';

/** What may be in a data dir that counts as empty: our lock, the sandbox of a cluster, and what a file system makes. */
const NOT_DATA = ['lock', 'lock.pid', 'lock-journal', CLUSTER, 'lost+found'];

/**
 * Restores a backup into the data dir, which must be empty and not in use. Everything is checked before the first file
 * gets its place; until all have, the service refuses to start on the folder. Files have mode 0600. Rejects with
 * StartError and the reason of `signal`, and then leaves the folder empty.
 */
export async function restoreBackup(config: Config, file: string, options: RestoreOptions): Promise<Manifest> {
  if (config.cluster) throw new StartError(CLUSTER_ENGINE);
  const reader = await ArchiveReader.open(file);
  try {
    const manifest = await readHead(reader, file);
    const dir = openDataDir(config.dataDir, { restoring: true });
    try {
      await fill(dir, reader, manifest, options);
    } finally {
      dir.release();
    }
    return manifest;
  } finally {
    await reader.close();
  }
}

async function readHead(reader: ArchiveReader, file: string): Promise<Manifest> {
  const first = await reader.next();
  if (first?.name !== MANIFEST) throw new StartError(`${file} is not a complete backup made by kurir backup.`);
  return readManifest(await reader.text(first), file);
}

async function fill(dir: DataDir, reader: ArchiveReader, manifest: Manifest, options: RestoreOptions): Promise<void> {
  const folder = dir.file(UNFINISHED_RESTORE);
  // The rest of a restore that was killed: the folder was empty before it.
  if (existsSync(folder)) clear(dir);
  const found = readdirSync(dir.path).filter((name) => !NOT_DATA.includes(name));
  if (found.length > 0) {
    throw new StartError(
      `${dir.path} (KURIR_DATA_DIR) is not empty (${found.slice(0, 3).join(', ')}): a restore never replaces data. Use an empty directory.`,
    );
  }
  try {
    mkdirSync(folder, { mode: 0o700 });
    syncFolder(dir.path);
    await extract(folder, reader, manifest, options);
    const names = manifest.files.map(({ name }) => name);
    for (const name of CONTENTS) if (names.includes(name)) renameSync(join(folder, name), dir.file(name));
    syncFolder(dir.path);
    rmdirSync(folder);
    syncFolder(dir.path);
  } catch (error) {
    clear(dir);
    throw explainDiskFault('The backup could not be restored', error);
  }
}

/** The folder goes last, since it keeps the service from starting on what is left. */
function clear(dir: DataDir): void {
  for (const name of CONTENTS) {
    for (const suffix of ['', '-wal', '-shm']) rmSync(dir.file(`${name}${suffix}`), { force: true });
  }
  rmSync(dir.file(UNFINISHED_RESTORE), { recursive: true, force: true });
}

/** Writes every file of the manifest into the folder, and compares it with its checksum. */
async function extract(
  folder: string,
  reader: ArchiveReader,
  { files }: Manifest,
  options: RestoreOptions,
): Promise<void> {
  const total = files.reduce((sum, { size }) => sum + size, 0);
  let done = 0;
  for (const { name, size } of files) {
    const entry = await next(reader, name);
    if (entry.size !== size) throw reader.unexpected(name);
    await write(folder, reader, entry, (count) => {
      options.signal.throwIfAborted();
      options.onProgress((done += count), total);
    });
  }
  reader.verify(await reader.text(await next(reader, CHECKSUMS)));
  syncFolder(folder);
}

async function next(reader: ArchiveReader, name: string): Promise<TarEntry> {
  const entry = await reader.next();
  if (entry?.name !== name) throw reader.unexpected(name);
  return entry;
}

async function write(
  folder: string,
  reader: ArchiveReader,
  entry: TarEntry,
  onBytes: (count: number) => void,
): Promise<void> {
  const target = await open(join(folder, entry.name), 'wx', 0o600);
  try {
    await reader.content(entry, async (chunk) => {
      for (let at = 0; at < chunk.length;) at += (await target.write(chunk, at)).bytesWritten;
      onBytes(chunk.length);
    });
    await target.sync();
  } finally {
    await target.close();
  }
}
