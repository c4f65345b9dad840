import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { DatabaseSync } from '@photostructure/sqlite';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { NewerSchemaError, OlderSchemaError, UnreleasedSchemaError } from '../../../../lib/errors';
import type { FileSchema } from '../../../../lib/file-schema';
import { openAuditSource } from '../../../../stores/embedded/audit/audit-source';
import { Database } from '../../../../stores/embedded/database/database';
import { SCHEMA } from '../../../../stores/embedded/database/schema';
import { temporaryDir } from '../../../support/running';

/** A release after this one: settings say who set them, and there is a table of notes. */
const NEXT: FileSchema = {
  version: SCHEMA.version + 1,
  tables: [...SCHEMA.tables, 'CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL)'],
  indexes: [...SCHEMA.indexes, 'CREATE INDEX IF NOT EXISTS settings_by_actor ON settings (actor)'],
  steps: [
    { to: SCHEMA.version, statements: ['SELECT made_before()'] },
    {
      to: SCHEMA.version + 1,
      statements: [
        `ALTER TABLE settings ADD COLUMN actor TEXT NOT NULL DEFAULT 'nobody'`,
        'INSERT INTO notes (text) SELECT name FROM settings',
      ],
    },
  ],
};

let dir: string;
let file: string;
const open: Database[] = [];
beforeEach(() => {
  dir = temporaryDir();
  file = join(dir, 'kurir.sqlite');
});
afterEach(() => {
  open.splice(0).forEach((db) => db.close());
  rmSync(dir, { recursive: true });
});

const database = (schema = SCHEMA, beside = false): Database => {
  const db = new Database(file, beside, schema);
  open.push(db);
  return db;
};
/** Leaves a file of this release with one setting. */
const made = (): void => {
  const db = new Database(file);
  db.run(`INSERT INTO settings (name, value) VALUES ('switches', '{}')`);
  db.close();
};
const change = (sql: string): void => {
  const db = new DatabaseSync(file);
  db.exec(sql);
  db.close();
};

describe('a release with a new schema', () => {
  test('takes its step once, keeps what is there, and the release before refuses the data', () => {
    made();
    const db = database(NEXT);
    expect(db.all('SELECT name, actor FROM settings')).toEqual([{ name: 'switches', actor: 'nobody' }]);
    database(NEXT);
    expect(db.all('SELECT text FROM notes')).toEqual([{ text: 'switches' }]);
    expect(() => database()).toThrow(
      `The data has schema version ${NEXT.version}, but this release supports ${SCHEMA.version}: use the release that wrote it, or a newer one.`,
    );
    expect(() => openAuditSource(file)).toThrow(NewerSchemaError);
  });

  test('changes nothing when a step fails', () => {
    made();
    const broken = { ...NEXT, steps: [...NEXT.steps, { to: NEXT.version, statements: ['SELECT no_such_function()'] }] };
    expect(() => database(broken)).toThrow(/no_such_function/);
    const db = database();
    expect(db.get('SELECT * FROM settings')).toEqual({ name: 'switches', value: '{}' });
    expect(db.get(`SELECT 1 FROM sqlite_master WHERE name = 'notes'`)).toBeUndefined();
  });

  test('does not take its step again when another process was first', () => {
    made();
    /** Lets the other process open the file after this one has looked at its version. */
    class Late extends Database {
      override begin(): void {
        this.endRead();
        new Database(file, false, NEXT).close();
        super.begin();
      }
    }
    const late = new Late(file, false, NEXT);
    open.push(late);
    expect(late.all('SELECT text FROM notes')).toHaveLength(1);
  });

  test('takes none beside a service, which an older command notices in each of its writes', () => {
    made();
    expect(() => database(NEXT, true)).toThrow(OlderSchemaError);
    const command = database(SCHEMA, true);
    command.begin();
    command.commit();
    database(NEXT);
    expect(() => command.begin()).toThrow(NewerSchemaError);
  });
});

test('a file that a version before the first release made is refused by everything, and left as it is', () => {
  made();
  change('PRAGMA user_version = 20; PRAGMA application_id = 0');
  const before = readFileSync(file);
  const said =
    'The data was made by a version before 0.1.0, which was never released: start on an empty data directory';
  for (const beside of [false, true]) expect(() => database(SCHEMA, beside)).toThrow(UnreleasedSchemaError);
  expect(() => database()).toThrow(said);
  expect(() => openAuditSource(file)).toThrow(said);
  expect(readFileSync(file)).toEqual(before);
});
