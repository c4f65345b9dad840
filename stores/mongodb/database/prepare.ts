import { MongoServerError, type Db, type RunCommandOptions } from 'mongodb';
import { DifferingSchemaError, NewerSchemaError } from '../../../lib/errors';
import { COLLECTIONS, SCHEMA_VERSION } from './collections';
import { indexOptions, listDifferences, type Difference, type FoundCollection, type FoundIndex } from './schema-diff';
import { documents } from './documents';
import { guard, upserting } from '../transactions/guard';
import { MIGRATIONS } from './migrations';

/** No limit: building an index over existing data may take long. */
const BUILD: RunCommandOptions & { socketTimeoutMS: number } = { socketTimeoutMS: 0 };
const NAMESPACE_EXISTS = 48;
/** The server refuses an index that it considers equal to an existing one, or whose name is taken. */
const INDEX_CONFLICTS = new Set([67, 85, 86]);

/**
 * Creates missing collections and indexes, and upgrades older documents. Any number of processes may do so at once.
 * @throws NewerSchemaError when a newer program wrote the data; DifferingSchemaError when an existing collection or
 * index differs, in which case nothing was changed; UnavailableError.
 */
export async function prepareCollections(db: Db): Promise<void> {
  await guard(async () => {
    const found = await readVersion(db);
    const differences = await compareCollections(db);
    const differing = differences.filter(({ kind }) => kind === 'differs');
    if (differing.length > 0) throw refusal(db, differing);
    for (const { kind, collection, index } of differences) {
      if (kind !== 'missing') continue;
      if (index === null) await createCollection(db, collection);
      else await createIndex(db, collection, index);
    }
    for (const migration of MIGRATIONS) if (found < migration.to) await migration.run(db);
    await upserting(() =>
      documents(db, 'meta').updateOne({ _id: 'schema' }, { $max: { version: SCHEMA_VERSION } }, { upsert: true }),
    );
  });
}

/** Lists where the database differs from what this program needs. Changes nothing. */
export async function compareCollections(db: Db): Promise<Difference[]> {
  return guard(async () => {
    const listed = await db.listCollections({}, { nameOnly: false }).toArray();
    const found = await Promise.all(
      listed
        .filter(({ name }) => name in COLLECTIONS)
        .map(async ({ name, type, options }): Promise<FoundCollection> => ({
          name,
          type: type ?? 'collection',
          options: options ?? {},
          indexes: type === 'view' ? [] : ((await db.collection(name).indexes()) as FoundIndex[]),
        })),
    );
    return listDifferences(COLLECTIONS, found);
  });
}

/** The schema version of the data; 0 when there is none. Refuses a newer one. */
async function readVersion(db: Db): Promise<number> {
  const found = (await documents(db, 'meta').findOne({ _id: 'schema' }))?.version ?? 0;
  if (found > SCHEMA_VERSION) {
    throw new NewerSchemaError(
      `The data has schema version ${found}, this program knows ${SCHEMA_VERSION}: start a newer one.`,
    );
  }
  return found;
}

const refusal = (db: Db, differing: readonly Difference[]): DifferingSchemaError =>
  new DifferingSchemaError(
    `The database ${db.databaseName} is not as this program needs it: ${differing.map(({ text }) => text).join('; ')}.`,
  );

async function createCollection(db: Db, name: string): Promise<void> {
  try {
    await db.createCollection(name);
  } catch (error) {
    if (!(error instanceof MongoServerError) || error.code !== NAMESPACE_EXISTS) throw error;
  }
}

async function createIndex(db: Db, collection: string, name: string): Promise<void> {
  const spec = Object.entries(COLLECTIONS)
    .find(([other]) => other === collection)?.[1]
    .find((index) => index.name === name);
  if (!spec) throw new Error(`no plan for the index ${name}`);
  try {
    await db.command({ createIndexes: collection, indexes: [{ key: spec.key, ...indexOptions(spec) }] }, BUILD);
  } catch (error) {
    if (!(error instanceof MongoServerError) || !INDEX_CONFLICTS.has(Number(error.code))) throw error;
    throw new DifferingSchemaError(
      `The index ${name} of ${collection} in database ${db.databaseName} cannot be created: ${error.message}`,
      { cause: error },
    );
  }
}
