import type { Db } from 'mongodb';
import { FIRST_RELEASE, NewerSchemaError, OlderSchemaError, UnreleasedSchemaError } from '../../../lib/errors';
import { SCHEMA_VERSION } from './collections';
import { documents, type Documents } from './documents';
import { guard } from '../transactions/guard';
import { upsert } from './writes';

/** Upgrades older documents to what this release reads. Missing collections and indexes are created without one. */
export interface DatabaseStep {
  /** The schema version after it. */
  to: number;
  /** May run again after a crash, and in several processes at once. Works in short steps. */
  run(db: Db): Promise<void>;
}

/** The schema of a release, and the steps to it in order of version. An empty database needs none of them. */
export interface DatabaseSchema {
  version: number;
  steps: readonly DatabaseStep[];
}

/** Older programs do not forget the counts of an hour when they change what these count. */
const countedByHour: DatabaseStep = { to: 2, run: async () => undefined };

/** Older programs would take a coin twice when a mail that is sent again is reported. */
const sentAgain: DatabaseStep = { to: 3, run: async () => undefined };

export const SCHEMA: DatabaseSchema = { version: SCHEMA_VERSION, steps: [countedByHour, sentAgain] };

/** The schema of the data, as the database tells it. */
export interface StoredSchema {
  /** Of the data, once its last step was complete; 0: there is no data. */
  version: number;
  /** The oldest schema whose programs may still write. Above `version` from the moment a step begins. */
  writers: number;
}

/** Reads the schema of the data. Rejects with UnavailableError, and UnreleasedSchemaError when no release made it. */
export async function readSchema(db: Db): Promise<StoredSchema> {
  return schemaOf(db, await guard(() => documents(db, 'meta').findOne({ _id: 'schema' })));
}

/** The same of its document, which is null without data. */
export function schemaOf(db: Db, found: Documents['meta'] | null): StoredSchema {
  if (!found) return { version: 0, writers: 0 };
  const { version, since, writers = version } = found;
  if (since === FIRST_RELEASE) return { version, writers: Math.max(version, writers) };
  throw new UnreleasedSchemaError(
    `The database ${db.databaseName}`,
    'start on an empty database (MONGODB_DATABASE) with separate topics (KURIR_KAFKA_PREFIX), or go back to that version',
  );
}

/** Rejects with a SchemaError once the data belongs to a newer program, or when no release made it. */
export async function refuseNewer(db: Db, known = SCHEMA_VERSION): Promise<number> {
  const stored = await readSchema(db);
  checkSchema(stored, known);
  return stored.version;
}

/** Throws NewerSchemaError once the data belongs to a newer program. */
export function checkSchema({ writers }: StoredSchema, known = SCHEMA_VERSION): void {
  if (writers <= known) return;
  throw new NewerSchemaError(
    `The data has schema version ${writers}, but this release supports ${known}: start a newer release.`,
  );
}

/** For programs that create and migrate nothing: rejects with a SchemaError. */
export async function requireCurrent(db: Db, needed = SCHEMA_VERSION): Promise<void> {
  const version = await refuseNewer(db, needed);
  if (version > 0 && version < needed) throw new OlderSchemaError(version, needed);
}

/** From now on no program of an older schema may start, and those that run end with the next renewal of their lease. */
export async function closeToOlder(db: Db, version: number): Promise<void> {
  await guard(() => documents(db, 'meta').updateOne({ _id: 'schema' }, { $max: { writers: version } }));
}

/** Notes that the data is of this version. */
export async function noteVersion(db: Db, version: number): Promise<void> {
  await upsert(documents(db, 'meta'), { _id: 'schema' }, { $max: { version }, $setOnInsert: { since: FIRST_RELEASE } });
}
