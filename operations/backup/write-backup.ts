import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { NamedFile } from '../../lib/file-fault';
import { NAMES as SANDBOX_NAMES, sandboxFile, SCHEMA as SANDBOX_SCHEMA } from '../../sandbox/mail-file-schema';
import type { Config } from '../config/config';
import { dataFile, NAMES as STORE_NAMES, SCHEMA_VERSION } from '../../stores/shared/data-file';
import { DATABASE, OWN_CERTIFICATE, SANDBOX } from '../installation/data-dir';
import { findDataFile } from '../installation/data-file';
import { holdTogether, readSchemaVersion, SqliteSnapshot } from './sqlite-snapshot';
import { StartError } from '../../lib/start-error';
import { VERSION } from '../../lib/version';
import { ArchiveWriter } from './archive-writer';
import { explainDiskFault } from './disk-fault';
import { MANIFEST, newManifest, type Manifest } from './manifest';
import { syncFolder } from './sync-folder';

export interface BackupOptions {
  /** Machine time, ms. */
  now: number;
  /** Called before anything is read, with the version of the store's layout. */
  onBegin(schemaVersion: number): Promise<void>;
  /** Called with how many of how many bytes are done. */
  onProgress(done: number, total: number): void;
  /** Aborting it ends the backup and leaves nothing. */
  signal: AbortSignal;
}

/** A backup that was written. */
export interface WrittenBackup {
  path: string;
  /** Bytes. */
  size: number;
  manifest: Manifest;
  /** The sandbox's file was left out, because it is this other installation's. */
  otherSandbox: string | null;
}

const CLUSTER =
  'kurir backup works with the embedded engine only. A cluster keeps its data in MongoDB: use mongodump --oplog, and keep KURIR_SECRET (docs/cluster.md#backup).';

/** A database of the data dir. */
interface Source {
  name: string;
  snapshot: SqliteSnapshot;
  schemaVersion: number;
  /** Bytes, about. */
  size: number;
}

/** The databases of a data dir, held at one instant. */
interface Held {
  store: Source;
  /** Null without one, or when it is another installation's. */
  sandbox: Source | null;
  installationId: string | null;
  otherSandbox: string | null;
  close(): void;
}

/**
 * Writes a backup of the data dir to a new file, with or without a running service: store and sandbox as of one
 * instant, the master secret if it is kept there, first-run.json and the certificate that was made for the relay. The
 * file appears under its name only once it is whole and on disk. Rejects with StartError, UnavailableError and the
 * reason of `signal`.
 */
export async function writeBackup(config: Config, file: string, options: BackupOptions): Promise<WrittenBackup> {
  if (config.cluster) throw new StartError(CLUSTER);
  const path = resolve(file);
  const data = findDataFile(config.dataDir);
  if (data === null) {
    throw new StartError(`There is no data in ${config.dataDir} (KURIR_DATA_DIR): nothing to back up.`);
  }
  if (existsSync(path))
    throw new StartError(`${path} already exists, and a backup never overwrites a file. Use another name.`);
  await options.onBegin(readSchemaVersion(dataFile(data), STORE_NAMES));
  const folder = makeFolder(path);
  try {
    const held = await hold(config.dataDir);
    try {
      const archive = join(folder, 'backup.tar');
      const manifest = await writeArchive(config, held, { ...options, folder, archive });
      publish(archive, path);
      return { path, size: statSync(path).size, manifest, otherSandbox: held.otherSandbox };
    } finally {
      held.close();
    }
  } catch (error) {
    throw explainDiskFault('The backup could not be written', error);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The folder for unfinished work, beside the backup: on the same disk, and for its owner only. */
function makeFolder(path: string): string {
  const folder = `${path}.unfinished`;
  try {
    mkdirSync(folder, { mode: 0o700 });
    return folder;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') {
      throw new StartError(
        `${folder} already exists: another backup is being written there, or one was interrupted. Delete it, or use another name.`,
      );
    }
    throw new StartError(`The backup ${path} cannot be written: ${(error as Error).message}`);
  }
}

const named = (path: string, name: string): NamedFile => (name === SANDBOX ? sandboxFile(path) : dataFile(path));

async function hold(dataDir: string): Promise<Held> {
  const opened: SqliteSnapshot[] = [];
  const open = (name: string): SqliteSnapshot => {
    const snapshot = new SqliteSnapshot(named(join(dataDir, name), name));
    opened.push(snapshot);
    return snapshot;
  };
  const sourceOf = (name: string, snapshot: SqliteSnapshot, schemaVersion: number): Source => ({
    name,
    snapshot,
    schemaVersion,
    size: sizeOf(join(dataDir, name)),
  });
  const close = (): void => opened.forEach((snapshot) => snapshot.close());
  try {
    const store = open(DATABASE);
    const sandbox = existsSync(join(dataDir, SANDBOX)) ? open(SANDBOX) : null;
    if (sandbox) await holdTogether(store, sandbox, open(SANDBOX));
    else store.hold();
    const held = sourceOf(DATABASE, store, store.schemaVersion(STORE_NAMES, SCHEMA_VERSION));
    const sandboxVersion = sandbox?.schemaVersion(SANDBOX_NAMES, SANDBOX_SCHEMA.version) ?? 0;
    const installationId = readId(store);
    const sandboxId = sandbox && readSandboxId(sandbox);
    const otherSandbox = sandboxId === installationId ? null : sandboxId;
    const kept = sandbox && otherSandbox === null ? sourceOf(SANDBOX, sandbox, sandboxVersion) : null;
    return { store: held, sandbox: kept, installationId, otherSandbox, close };
  } catch (error) {
    close();
    throw error;
  }
}

function readId(store: SqliteSnapshot): string | null {
  const row = store.get<{ value: string }>("SELECT value FROM settings WHERE name = 'installation_id'");
  return row ? (JSON.parse(row.value) as string) : null;
}

/** Null for a file that names no installation. */
const readSandboxId = (sandbox: SqliteSnapshot): string | null =>
  sandbox.get<{ id: string | null }>('SELECT id FROM installation')?.id ?? null;

type Place = BackupOptions & { folder: string; archive: string };

async function writeArchive(config: Config, held: Held, place: Place): Promise<Manifest> {
  const { folder, now } = place;
  const sources = [...(held.sandbox ? [held.sandbox] : []), held.store];
  const progress = new Progress(place, 2 * sources.reduce((sum, { size }) => sum + size, 0));
  for (const { name, snapshot, size } of sources) {
    const report = progress.share(size);
    await snapshot.copyTo(join(folder, name), report, place.signal);
    // From here on the service may start its write-ahead log over.
    snapshot.close();
    snapshot.checkCopy(join(folder, name));
  }
  const texts = readTexts(config);
  const copies = sources.map(({ name }) => ({ name, size: sizeOf(join(folder, name)) }));
  const manifest = newManifest({
    created_at: new Date(now).toISOString(),
    program_version: VERSION,
    schema_version: held.store.schemaVersion,
    sandbox_schema_version: held.sandbox?.schemaVersion ?? null,
    installation_id: held.installationId,
    files: [...texts.map(({ name, content }) => ({ name, size: Buffer.byteLength(content) })), ...copies],
  });
  const writer = await ArchiveWriter.create(place.archive, now);
  try {
    await writer.addText(MANIFEST, `${JSON.stringify(manifest, null, 2)}\n`);
    for (const { name, content } of texts) await writer.addText(name, content);
    for (const { name, size } of copies) {
      await writer.addFile(name, join(folder, name), size, (count) => progress.add(count));
      rmSync(join(folder, name));
    }
    await writer.finish();
  } finally {
    await writer.close();
  }
  return manifest;
}

/** The short files of a backup; the master secret only if it is kept in the data dir. */
function readTexts({ dataDir, secret }: Config): { name: string; content: string }[] {
  return ['first-run.json', OWN_CERTIFICATE, ...(secret === null ? ['secret'] : [])]
    .filter((name) => existsSync(join(dataDir, name)))
    .map((name) => ({ name, content: readFileSync(join(dataDir, name), 'utf8') }));
}

/** Counts the bytes that are done. */
class Progress {
  private done = 0;

  constructor(
    private readonly options: BackupOptions,
    private readonly total: number,
  ) {}

  add(count: number): void {
    this.options.signal.throwIfAborted();
    this.done += count;
    this.options.onProgress(this.done, this.total);
  }

  /** For a piece of this size: call the result with the share of it that is done. */
  share(size: number): (share: number) => void {
    const before = this.done;
    return (share) => {
      this.done = before + Math.round(share * size);
      this.options.onProgress(this.done, this.total);
    };
  }
}

const sizeOf = (path: string): number => statSync(path).size;

/** Gives the whole archive its name, unless another file has got it meanwhile. */
function publish(archive: string, path: string): void {
  try {
    linkSync(archive, path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST')
      throw new StartError(`${path} already exists, and a backup never overwrites a file. Use another name.`);
    // Some file systems have no hard links.
    renameSync(archive, path);
  }
  syncFolder(dirname(path));
}
