import type { NamedFile } from '../../lib/file-fault';
import type { FileNames } from '../../lib/file-schema';

/** Version of the data file's schema. Older data is migrated when it is opened; newer data is refused. */
export const SCHEMA_VERSION = 13;

/** The data file in errors about its schema. */
export const NAMES: FileNames = {
  what: 'The data',
  instead: 'start on an empty data directory (KURIR_DATA_DIR), or go back to that version',
};

/** What to do about a damaged file, at the end of a sentence. */
export const REMEDY =
  'stop the service, empty the data directory, and restore your last backup with kurir restore (docs/operations.md#a-damaged-data-file)';

/** The data file of the embedded engine, for a sentence about what is wrong with it. */
export const dataFile = (path: string): NamedFile => ({ path, what: 'The data file', remedy: REMEDY });
