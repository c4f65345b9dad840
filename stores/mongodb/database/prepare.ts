import { MongoServerError, type Db, type RunCommandOptions } from 'mongodb';
import { DifferingSchemaError } from '../../../lib/errors';
import { COLLECTIONS } from './collections';
import { indexOptions, listDifferences, type Difference, type FoundCollection, type FoundIndex } from './schema-diff';
import { closeToOlder, noteVersion, refuseNewer, SCHEMA, type DatabaseSchema } from './schema-step';
import { guard } from '../transactions/guard';

/** No limit: building an index over existing data may take long. */
const BUILD: RunCommandOptions & { socketTimeoutMS: number } = { socketTimeoutMS: 0 };
const NAMESPACE_EXISTS = 48;
/** The server refuses an index that it considers equal to an existing one, or whose name is taken. */
const INDEX_CONFLICTS = new Set([67, 85, 86]);

/** Resolves once no process of an older schema lives; else rejects, and nothing is changed. */
export type OlderGone = () => Promise<void>;
const nothingElseRuns: OlderGone = async () => undefined;

/**
 * Creates missing collections and indexes, and upgrades older documents. Any number of processes may do so at once.
 * What an older program would write meanwhile is in no migration, so `olderGone` is asked before a step, and once more
 * after no older program can start any more (docs/decisions/0059-schema-steps-wait-for-older-processes.md).
 * @throws a SchemaError when no release or a newer one wrote the data, or an existing collection or index differs, in
 * which case nothing was changed; UnavailableError; the errors of `olderGone`.
 */
export async function prepareCollections(
  db: Db,
  olderGone: OlderGone = nothingElseRuns,
  { version, steps }: DatabaseSchema = SCHEMA,
): Promise<void> {
  await guard(async () => {
    const found = await refuseNewer(db, version);
    const differences = await compareCollections(db);
    const differing = differences.filter(({ kind }) => kind === 'differs');
    if (differing.length > 0) throw refusal(db, differing);
    if (found > 0 && found < version) {
      await olderGone();
      await closeToOlder(db, version);
      await olderGone();
    }
    for (const { kind, collection, index } of differences) {
      if (kind !== 'missing') continue;
      if (index === null) await createCollection(db, collection);
      else await createIndex(db, collection, index);
    }
    if (found > 0) for (const step of steps) if (found < step.to) await step.run(db);
    await noteVersion(db, version);
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

const refusal = (db: Db, differing: readonly Difference[]): DifferingSchemaError =>
  new DifferingSchemaError(
    `The database ${db.databaseName} differs from what this release needs: ${differing.map(({ text }) => text).join('; ')}.`,
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
