import type { Db } from 'mongodb';
import { NewerSchemaError, OlderSchemaError } from '../../../lib/errors';
import { guard, upserting } from '../transactions/guard';
import { SCHEMA_VERSION } from './collections';
import { documents } from './documents';

/** The schema of the data, as the database tells it. */
export interface StoredSchema {
  /** Of the data, once its last step was complete; 0: there is no data. */
  version: number;
  /** The oldest schema whose programs may still write. Above `version` from the moment a step begins. */
  writers: number;
}

/** Reads the schema of the data. Rejects with UnavailableError. */
export async function readSchema(db: Db): Promise<StoredSchema> {
  const found = await guard(() => documents(db, 'meta').findOne({ _id: 'schema' }));
  const version = found?.version ?? 0;
  return { version, writers: Math.max(version, found?.writers ?? 0) };
}

/** Rejects with NewerSchemaError once the data belongs to a newer program. */
export async function refuseNewer(db: Db): Promise<number> {
  const { version, writers } = await readSchema(db);
  if (writers <= SCHEMA_VERSION) return version;
  throw new NewerSchemaError(
    `The data has schema version ${writers}, this program knows ${SCHEMA_VERSION}: start a newer one.`,
  );
}

/** For programs that create and migrate nothing: rejects with NewerSchemaError and OlderSchemaError. */
export async function requireCurrent(db: Db): Promise<void> {
  const version = await refuseNewer(db);
  if (version > 0 && version < SCHEMA_VERSION) throw new OlderSchemaError(version, SCHEMA_VERSION);
}

/** From now on no program of an older schema may start, and those that run end with the next renewal of their lease. */
export async function closeToOlder(db: Db): Promise<void> {
  await guard(() =>
    upserting(() => documents(db, 'meta').updateOne({ _id: 'schema' }, { $max: { writers: SCHEMA_VERSION } })),
  );
}
