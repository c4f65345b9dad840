import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { damaged } from '../../lib/file-fault';
import { dataFile, REMEDY } from '../../stores/shared/data-file';
import { DATABASE, OWN_CERTIFICATE, SANDBOX } from './data-dir';
import { StartError } from '../../lib/start-error';

/** What only a service that has its data writes: where one of these is, there was data. */
const LATER = ['first-run.json', OWN_CERTIFICATE, SANDBOX, 'running.json'];
/** Bytes below which SQLite may take a file for a new one; the smallest page has as many. */
const SMALLEST = 512;

/**
 * The path of the data file of a data dir; null while there is none. Throws DamagedError or StartError when one that
 * was there is empty or gone: SQLite would begin a new one in its place, and what was acknowledged would be forgotten.
 */
export function findDataFile(dataDir: string): string | null {
  const path = join(dataDir, DATABASE);
  const stats = statSync(path, { throwIfNoEntry: false });
  const hasRun = LATER.some((name) => existsSync(join(dataDir, name)));
  if (!stats) {
    // What was committed last may still lie beside it.
    if (hasRun || existsSync(`${path}-wal`))
      throw new StartError(`The data file ${path} is missing, although the service has run here before: ${REMEDY}.`);
    return null;
  }
  if (stats.isFile() && stats.size < SMALLEST && hasRun) throw damaged(dataFile(path), `it has ${stats.size} bytes`);
  return path;
}
