import { DatabaseSync } from '@photostructure/sqlite';
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { sqliteCode } from '../../lib/file-fault';
import { StartError } from '../../lib/start-error';

/** SQLite's result code for it. */
const NOT_A_DATABASE = 26;
/** File name of the embedded engine's database in its data dir. */
export const DATABASE = 'kurir.sqlite';
/** File name of the certificate that Kurir makes for its SMTP relay, with its key. */
export const OWN_CERTIFICATE = 'smtp-certificate.pem';
/** File name of the sandbox's database, in the same folder. */
export const SANDBOX = 'sandbox.sqlite';

/** Folder in a data dir that exists while a backup is restored into it. */
export const UNFINISHED_RESTORE = 'restore.unfinished';
/** Folder of the cluster engine's sandbox in the data dir, so that both engines can be tried side by side. */
export const CLUSTER = 'cluster';

/** The folder with the sandbox's file: the data dir, or a folder in it for the cluster engine. */
export const sandboxDir = ({ engine, dataDir }: { engine: 'embedded' | 'cluster'; dataDir: string }): string =>
  engine === 'cluster' ? join(dataDir, CLUSTER) : dataDir;

/** The folder of the embedded engine, or of the cluster engine's sandbox, locked by this process. */
export interface DataDir {
  path: string;
  file(name: string): string;
  release(): void;
}

/**
 * Creates the folder when it is missing and locks it. The operating system holds the lock, so it ends with the process,
 * even after kill -9. Throws StartError when the folder cannot be written, is in use, or holds half a restored backup;
 * that is taken with `restoring`.
 */
export function openDataDir(path: string, { restoring = false } = {}): DataDir {
  const file = (name: string): string => join(path, name);
  try {
    makeFolders(path);
    writeDurably(file('.probe'), '');
    rmSync(file('.probe'));
  } catch (error) {
    throw unwritable(path, error);
  }
  const release = lock(path, file('lock'));
  if (!restoring && existsSync(file(UNFINISHED_RESTORE))) {
    release();
    throw new StartError(
      `A restore into ${path} (KURIR_DATA_DIR) was interrupted: run kurir restore again, or empty the directory.`,
    );
  }
  return { path, file, release };
}

/** As `mkdir -p`. Node's own never returns below a folder that takes none and says ENOENT, such as /proc. */
function makeFolders(path: string): void {
  if (existsSync(path)) return;
  makeFolders(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process was faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function lock(path: string, lockFile: string): () => void {
  const db = openLock(path, lockFile);
  const pidFile = `${lockFile}.pid`;
  try {
    // The command line holds the lock for an instant; a running service holds it for longer than this timeout.
    db.exec(
      'PRAGMA busy_timeout = 500; PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE',
    );
  } catch (error) {
    db.close();
    if (sqliteCode(error) === NOT_A_DATABASE) {
      throw new StartError(`The lock file ${lockFile} is damaged. Delete it; it holds no data.`, { cause: error });
    }
    if (!/locked|busy/i.test((error as Error).message)) throw unwritable(path, error);
    throw new StartError(`The data directory ${path} (KURIR_DATA_DIR) is in use by ${holder(pidFile)}.`, {
      cause: error,
    });
  }
  writeFileSync(pidFile, `${process.pid}\n`, { mode: 0o600 });
  return () => {
    rmSync(pidFile, { force: true });
    db.close();
  };
}

function openLock(path: string, lockFile: string): InstanceType<typeof DatabaseSync> {
  try {
    return new DatabaseSync(lockFile);
  } catch (error) {
    throw unwritable(path, error);
  }
}

/** The process that holds the lock, as far as it has said. */
function holder(pidFile: string): string {
  const pid = existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8')) : NaN;
  return Number.isInteger(pid) && pid > 0 ? `process ${pid}` : 'another process';
}

const unwritable = (path: string, error: unknown): StartError =>
  new StartError(`The data directory ${path} (KURIR_DATA_DIR) cannot be written: ${(error as Error).message}`);

/**
 * The master secret of the data dir. It is created together with the data, just before it. Mode 0600. Throws
 * StartError.
 */
export function readOrMakeSecret(dir: DataDir): string {
  const file = dir.file('secret');
  if (!existsSync(file) && existsSync(dir.file(DATABASE))) {
    throw new StartError(
      `The master secret ${file} is missing, but there is data encrypted with it: restore it from your backup, or set KURIR_SECRET to it.`,
    );
  }
  if (!existsSync(file)) writeDurably(file, `${randomBytes(48).toString('base64url')}\n`);
  const secret = readSecretOf(file);
  if (secret.length < 32) throw new StartError(`The master secret in ${file} is damaged: restore it from your backup.`);
  return secret;
}

function readSecretOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new StartError(`The master secret ${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

/** Writes a file so that after a crash it exists whole or not at all. Mode 0600. */
export function writeDurably(file: string, content: string): void {
  const temporary = `${file}.new`;
  const fd = openSync(temporary, 'w', 0o600);
  try {
    writeSync(fd, content);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameSync(temporary, file);
  const folder = openSync(dirname(file), 'r');
  fsyncSync(folder);
  closeSync(folder);
}
