import { SCHEMA_VERSION } from '../../stores/shared/data-file';
import { DATABASE, OWN_CERTIFICATE, SANDBOX } from '../installation/data-dir';
import { StartError } from '../../lib/start-error';
import { FIRST_RELEASE, UnreleasedSchemaError } from '../../lib/errors';
import { SCHEMA as SANDBOX_SCHEMA } from '../../sandbox/mail-file-schema';

/** The first file of a backup: what is in it. */
export const MANIFEST = 'manifest.json';
/** The last file: the SHA-256 of all others, as `sha256sum -c` reads it. A backup without it is not whole. */
export const CHECKSUMS = 'SHA256SUMS';
/** The files a backup may hold, in the order in which they are put into a data dir: the store makes it one. */
export const CONTENTS = [SANDBOX, 'first-run.json', OWN_CERTIFICATE, 'secret', DATABASE] as const;

const FORMAT = 1;

/** What a backup says of itself. */
export interface Manifest {
  /** Version of this format. */
  format: number;
  /** Machine time. */
  created_at: string;
  /** Version of the program that made it. */
  program_version: string;
  /** The release that schema versions count from. */
  schema_since: string;
  /** Of the store. */
  schema_version: number;
  /** Null without a sandbox. */
  sandbox_schema_version: number | null;
  /** Null: the data has never been served by a version that gives ids. */
  installation_id: string | null;
  files: { name: string; size: number }[];
}

export const newManifest = (facts: Omit<Manifest, 'format' | 'schema_since'>): Manifest => ({
  format: FORMAT,
  schema_since: FIRST_RELEASE,
  ...facts,
});

/**
 * Reads and checks the manifest of the backup `file`. Throws StartError and UnreleasedSchemaError when this program
 * cannot restore such a backup.
 */
export function readManifest(text: string, file: string): Manifest {
  const manifest = parse(text, file);
  if (manifest.format > FORMAT) {
    throw new StartError(
      `The backup ${file} has format ${manifest.format}, but this release supports ${FORMAT}: use a newer release.`,
    );
  }
  if (manifest.schema_since !== FIRST_RELEASE) {
    throw new UnreleasedSchemaError(`The backup ${file}`, 'restore it with that version');
  }
  const { schema_version: store, sandbox_schema_version: sandbox } = manifest;
  if (store > SCHEMA_VERSION) throw newer(`data in the backup ${file}`, store, SCHEMA_VERSION);
  if ((sandbox ?? 0) > SANDBOX_SCHEMA.version)
    throw newer(`sandbox in the backup ${file}`, sandbox ?? 0, SANDBOX_SCHEMA.version);
  return manifest;
}

const newer = (what: string, found: number, known: number): StartError =>
  new StartError(
    `The ${what} has schema version ${found}, but this release supports ${known}: restore it with a newer release of Kurir.`,
  );

function parse(text: string, file: string): Manifest {
  let manifest: Partial<Manifest> | null;
  try {
    manifest = JSON.parse(text) as Partial<Manifest> | null;
  } catch {
    manifest = null;
  }
  const { format, schema_version: version, files } = manifest ?? {};
  const whole =
    typeof format === 'number' &&
    typeof version === 'number' &&
    Array.isArray(files) &&
    files.every(({ name }) => (CONTENTS as readonly string[]).includes(name)) &&
    files.some(({ name }) => name === DATABASE);
  if (!whole) throw new StartError(`${file} is not a backup made by kurir backup: its manifest is damaged.`);
  return manifest as Manifest;
}
