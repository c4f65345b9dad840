import type { AddressSearch } from '../../../domain/addresses/address-search';
import { TOPIC_NAMES } from '../../../streams/topics';
import type { PersonalDataSource, Place } from '../../ports/personal-data';
import type { Value } from '../database/database';
import { logTable } from '../database/schema';
import { ReadOnlyFile } from './read-only-file';

/** Rows per statement. A running statement keeps the write-ahead log from starting over. */
const PAGE = 200;

type Row = Record<string, Value>;
interface Owner {
  id: string;
  workspaceId: number | null;
}

const TOPIC_OF = new Map(TOPIC_NAMES.map((topic) => [logTable(topic), topic]));

/**
 * Embedded driver of PersonalDataSource: searches every column of every table of the file. Throws UnavailableError and
 * a SchemaError.
 */
export function openPersonalData(path: string): PersonalDataSource {
  const file = new ReadOnlyFile(path);
  return {
    async *find(search, onProgress) {
      const tables = file.all<{ name: string }>(
        `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`,
      );
      let searched = 0;
      for (const { name } of tables) {
        for (const rows of pagesOf(file, name)) {
          for (const row of rows) yield* placesIn(file, name, row, search);
          onProgress((searched += rows.length));
          // A large file takes long; let other work run in between.
          await new Promise(setImmediate);
        }
      }
    },
    close: async () => file.close(),
  };
}

/** The columns of the primary key, in order; pages of the table continue after it. */
const keyOf = (file: ReadOnlyFile, table: string): string[] =>
  file
    .all<{ name: string }>(`SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk`, table)
    .map(({ name }) => `"${name}"`);

/** Some rows of a table. Their number and the key of the last row are known after iterating. */
class RowPage implements Iterable<Row> {
  length = 0;
  end: Value[] | null = null;

  constructor(
    private readonly file: ReadOnlyFile,
    private readonly key: readonly string[],
    private readonly sql: string,
    private readonly after: readonly Value[],
  ) {}

  *[Symbol.iterator](): Generator<Row> {
    for (const [row] of this.file.pages<Row>(1, this.sql, ...this.after)) {
      if (!row) return;
      this.length += 1;
      this.end = this.key.map((column) => row[column.slice(1, -1)]!);
      yield row;
    }
  }
}

/** The rows of a table in order of its key. One row in memory at a time, since some are large. */
function* pagesOf(file: ReadOnlyFile, table: string): Generator<RowPage> {
  const key = keyOf(file, table);
  const columns = key.join(', ');
  const after = `(${columns}) > (${key.map(() => '?').join(', ')})`;
  for (let last: Value[] | null = null; ;) {
    const sql: string = `SELECT * FROM ${table} ${last ? `WHERE ${after}` : ''} ORDER BY ${columns} LIMIT ${PAGE}`;
    const page: RowPage = new RowPage(file, key, sql, last ?? []);
    yield page;
    if (page.length < PAGE) return;
    last = page.end;
  }
}

function* placesIn(file: ReadOnlyFile, table: string, row: Row, search: AddressSearch): Generator<Place> {
  const fields = Object.keys(row).filter((field) => search.inField(field, row[field]));
  if (fields.length === 0) return;
  const topic = TOPIC_OF.get(table);
  const owner = ownerOf(file, table, row);
  for (const field of fields) yield { kind: topic ? `log ${topic}` : table, ...owner, field };
}

const NAMES = ['id', 'offset', 'key', 'name', 'contact_id', 'seq'];
const nameOf = (row: Row): string => String(NAMES.map((name) => row[name]).find((value) => value != null) ?? '');

/** Tables that number their own rows; elsewhere `seq` is the number of a message. */
const OWN_NUMBERS: ReadonlySet<string> = new Set(['ledger', 'webhook_events']);

/** The owner of a row. Most rows name a workspace or a message; rows of the log name it in their value. */
function ownerOf(file: ReadOnlyFile, table: string, row: Row): Owner {
  const id = nameOf(row);
  if (table === 'workspaces') return { id, workspaceId: Number(row['id']) };
  if (typeof row['seq'] === 'number' && !OWN_NUMBERS.has(table)) {
    const message = file.get<{ id: string; workspace_id: number }>(
      'SELECT id, workspace_id FROM messages WHERE seq = ?',
      row['seq'],
    );
    return { id: message?.id ?? id, workspaceId: message?.workspace_id ?? null };
  }
  if (typeof row['workspace_id'] === 'number') return { id, workspaceId: row['workspace_id'] };
  return { id, workspaceId: typeof row['value'] === 'string' ? workspaceOf(file, row['value']) : null };
}

function workspaceOf(file: ReadOnlyFile, value: string): number | null {
  const sql = `SELECT coalesce(json_extract(?1, '$.workspaceId'),
    (SELECT workspace_id FROM messages WHERE id = json_extract(?1, '$.messageId'))) AS id WHERE json_valid(?1)`;
  return file.get<{ id: number | null }>(sql, value)?.id ?? null;
}
