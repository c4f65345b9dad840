import { ValueError } from '../../lib/reason';
import type { ColumnNames } from './csv-rows';
import type { CsvEncoding, CsvFormat, Delimiter } from '../../lib/csv/csv-format';
import type { GivenFormat } from '../../lib/csv/csv-file';
import { printable } from '../../lib/printable';
import type { ContactColumns } from './contact-layout';
import {
  CONTACT_FIELDS,
  IDENTITY_COLUMNS,
  type ContactField,
  type IdentityField,
} from '../../schemas/contacts/contact-row';
import {
  oneOf,
  option,
  type Param,
  type Piece,
  repeatable,
  text,
  UsageError,
  type Values,
  why,
  rule,
} from '../definition';

const DELIMITERS = { comma: ',', semicolon: ';', tab: '\t' } as const satisfies Record<string, Delimiter>;
const ENCODINGS = {
  'utf-8': 'utf-8',
  'windows-1252': 'windows-1252',
  'iso-8859-1': 'windows-1252',
  latin1: 'windows-1252',
  'utf-16': 'utf-16',
  'utf-16le': 'utf-16le',
  'utf-16be': 'utf-16be',
} as const satisfies Record<string, CsvEncoding | 'utf-16'>;

const keys = <K extends string>(of: Readonly<Record<K, unknown>>): [K, ...K[]] => Object.keys(of) as [K, ...K[]];

const formatOptions = {
  delimiter: option(
    '<name>',
    `${keys(DELIMITERS).join(', ')}; default: detected from the header`,
    oneOf(...keys(DELIMITERS)),
  ),
  encoding: option(
    '<name>',
    `${keys(ENCODINGS).join(', ')}; default: detected from the content`,
    oneOf(...keys(ENCODINGS)),
  ),
};

/** The options of a command that reads CSV with these fields. */
export const csvOptions = <C extends string>(fields: Readonly<Record<C, unknown>>) => ({
  map: columnsOption(keys(fields)),
  ...formatOptions,
});
export type CsvInput<C extends string> = Values<ReturnType<typeof csvOptions<C>>>;

/** `--delimiter` and `--encoding`. */
export const formatOf = ({ delimiter, encoding }: Omit<CsvInput<string>, 'map'>): GivenFormat => ({
  delimiter: delimiter && DELIMITERS[delimiter],
  encoding: encoding && ENCODINGS[encoding],
});

const SHOWN_ENCODINGS: Readonly<Record<CsvEncoding, string>> = {
  'utf-8': 'UTF-8',
  'windows-1252': 'Windows-1252',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16',
};

/** How a file was read. As text, only what is not plain: UTF-8 with commas, columns called like their fields. */
export function formatPiece({ delimiter, encoding }: CsvFormat, columns: ColumnNames<string>): Piece {
  const name = keys(DELIMITERS).find((known) => DELIMITERS[known] === delimiter)!;
  const renamed = Object.entries(columns).filter(([field, column]) => column?.toLowerCase() !== field);
  const facts = [
    ...(encoding === 'utf-8' ? [] : [`encoding ${SHOWN_ENCODINGS[encoding]}`]),
    ...(name === 'comma' ? [] : [`delimiter ${name}`]),
    ...renamed.map(([field, column]) => `${field} from ${JSON.stringify(printable(column!))}`),
  ];
  return {
    text: facts.length === 0 ? '' : `The file was read with ${facts.join(', ')}.\n`,
    json: { format: { encoding, delimiter: name, columns } },
  };
}

type Pair<C extends string> = readonly [field: C, column: string];

/** `--map`: pairs of a field and its column. `check` throws when they do not go together. */
function pairsOption<C extends string, T>(fields: readonly C[], of: (pairs: readonly Pair<C>[]) => T): Param<T> {
  const pairs = repeatable('<field=column>', `the column of a field (${fields.join(', ')})`, (raw): Pair<C> => {
    const [, name = '', column = ''] = /^([^=]*)=(.*)$/s.exec(raw) ?? [];
    const field = fields.find((known) => known === name.trim());
    if (field !== undefined && column.trim() !== '') return [field, column.trim()];
    throw new ValueError(rule('column', { fields }));
  });
  const { about, form } = pairs;
  return { about, form, placeholder: '<field=column>', read: (given, label) => of(pairs.read(given, label)) };
}

const MAP = { label: '--map' };

/** Throws UsageError when a field or a column is named twice. */
function checkPairs(pairs: readonly Pair<string>[], fields: readonly Pair<string>[] = pairs): void {
  if (new Set(fields.map(([field]) => field)).size < fields.length) {
    throw new UsageError(why('map_twice', MAP), 'Map each field to one column.');
  }
  if (new Set(pairs.map(([, column]) => column.toLowerCase())).size < pairs.length) {
    const fix = 'Map each field to a different column.';
    throw new UsageError(why('map_same', MAP), fix);
  }
}

/** The columns that `--map` names, by field. Throws UsageError when it names a field or a column twice. */
const columnsOption = <C extends string>(fields: readonly C[]): Param<ColumnNames<C>> =>
  pairsOption(fields, (pairs) => {
    checkPairs(pairs);
    return Object.fromEntries(pairs) as ColumnNames<C>;
  });

const isIdentity = (field: ContactField): field is IdentityField => field in IDENTITY_COLUMNS;

/** The options of a command that reads contacts. Several columns may say who gets no mail, in the same way too. */
export const contactOptions = {
  map: pairsOption(CONTACT_FIELDS, (pairs) => {
    checkPairs(
      pairs,
      pairs.filter(([field]) => isIdentity(field)),
    );
    return {
      names: Object.fromEntries(pairs.filter(([field]) => isIdentity(field))),
      standings: pairs.flatMap(([field, column]) => (isIdentity(field) ? [] : [{ field, column }])),
    };
  }),
  ignore: repeatable('<column>', 'a column that does not affect who can receive email', text(1_000)),
  ...formatOptions,
};
export type ContactInput = Values<typeof contactOptions>;

/** `--map` and `--ignore`. */
export const contactColumnsOf = ({ map, ignore }: Pick<ContactInput, 'map' | 'ignore'>): ContactColumns => ({
  ...map,
  ignored: ignore,
});
