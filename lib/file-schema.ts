import { NewerSchemaError, UnreleasedSchemaError } from './errors';

/** A change of older data, made once, in the transaction that sets the version. */
export interface FileStep {
  /** The schema version it leads to. */
  to: number;
  statements: readonly string[];
}

/** What a SQLite file of ours must look like. A release that changes it raises the version and appends a step. */
export interface FileSchema {
  version: number;
  /** Each creates a table, or an index, unless it exists. */
  tables: readonly string[];
  indexes: readonly string[];
  /** In order of version. A new file needs none of them. */
  steps: readonly FileStep[];
}

/** How a file is named to people, and what to do with one that no release made. */
export interface FileNames {
  what: string;
  instead: string;
}

/** Marks a file as made by a release (`kuri`): the versions of files without it counted something else. */
const APPLICATION = 0x6b757269;

/** Runs a statement and returns its first row. */
export type GetRow = <T>(sql: string) => T | undefined;

/**
 * The schema version of a file; 0: it holds no data yet. Throws UnreleasedSchemaError, NewerSchemaError when it is
 * above `known`, and what `get` throws.
 */
export function schemaOfFile(get: GetRow, { what, instead }: FileNames, known: number): number {
  const version = get<{ user_version: number }>('PRAGMA user_version')!.user_version;
  if (version > 0 && get<{ application_id: number }>('PRAGMA application_id')!.application_id !== APPLICATION) {
    throw new UnreleasedSchemaError(what, instead);
  }
  if (version <= known) return version;
  throw new NewerSchemaError(
    `${what} has schema version ${version}, but this release supports ${known}: use the release that wrote it, or a newer one.`,
  );
}

/** The statements that bring a file from version `found` to the schema, for one transaction. */
export const statementsFrom = (found: number, { version, tables, indexes, steps }: FileSchema): readonly string[] => [
  ...tables,
  ...(found === 0 ? [] : steps.filter(({ to }) => to > found).flatMap(({ statements }) => statements)),
  ...indexes,
  `PRAGMA application_id = ${APPLICATION}`,
  `PRAGMA user_version = ${version}`,
];
