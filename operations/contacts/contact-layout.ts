import { IDENTITY_COLUMNS, type IdentityField } from '../../schemas/contacts/contact-row';
import { isDoubtfulName } from '../../schemas/contacts/doubtful-columns';
import { knownReading, type Reading, type StatusField } from '../../schemas/contacts/status-columns';
import { columnsNamed, findColumns, type ColumnNames, type CsvHeader } from './csv-rows';

/** What the caller says of the columns of a file of contacts. */
export interface ContactColumns {
  names: ColumnNames<IdentityField>;
  /** Columns that say who may get mail, and how; several may say the same. */
  standings: readonly { field: StatusField; column: string }[];
  /** Columns that say nothing of it. */
  ignored: readonly string[];
}

export const NO_COLUMNS: ContactColumns = { names: {}, standings: [], ignored: [] };

/** A column that says who may get mail. */
export interface StatusColumn {
  at: number;
  name: string;
  reading: Reading;
}

/** How a file of contacts is read. */
export interface ContactLayout {
  identity: ReadonlyMap<IdentityField, number>;
  standings: readonly StatusColumn[];
  /** Columns of which neither the caller nor the name says anything; `doubtful`: by their name they may matter. */
  open: readonly { at: number; name: string; doubtful: boolean }[];
  /** The column of each field. */
  found: ColumnNames<string>;
}

/**
 * Finds out how the columns of a header are read: as the caller says, by the names of known exports, or not at all.
 * Throws CsvFileError when the caller names a column that is not there, and if `strict` when the address has none.
 */
export function contactLayout(header: CsvHeader, given: ContactColumns, strict = true): ContactLayout {
  const { names } = header;
  const named = new Map<number, Reading>();
  for (const { field, column } of given.standings) for (const at of columnsNamed(names, column)) named.set(at, field);
  for (const column of given.ignored) for (const at of columnsNamed(names, column)) named.set(at, 'nothing');
  const { places: identity, found } = findColumns(header, IDENTITY_COLUMNS, given.names, {
    taken: new Set(named.keys()),
    strict,
  });
  const taken = new Set(identity.values());
  const others = names.flatMap((name, at) => (taken.has(at) ? [] : [{ at, name, said: named.get(at) }]));
  const columns = others.map((of) => ({ ...of, reading: of.said ?? knownReading(of.name) }));
  const standings = columns.flatMap(({ at, name, reading }) =>
    reading === null || reading === 'nothing' ? [] : [{ at, name, reading }],
  );
  return {
    identity,
    standings,
    open: columns
      .filter(({ reading, said }) => reading === null || (reading === 'state' && said === undefined))
      .map(({ at, name, reading }) => ({ at, name, doubtful: reading === null && isDoubtfulName(name) })),
    found: { ...found, ...foundOf(standings) },
  };
}

function foundOf(standings: readonly StatusColumn[]): ColumnNames<string> {
  const found: ColumnNames<string> = {};
  for (const { reading, name } of standings) if (reading !== 'state') found[reading] ??= name;
  return found;
}
