import type { ColumnNames } from '../../app/operator/csv-rows';
import { UsageError } from './errors';
import type { Input, Read } from './input';

/** The columns that `--map` names, by field. Throws UsageError when it names a field or a column twice. */
export function readColumns<C extends string>(input: Input, fields: readonly C[]): ColumnNames<C> {
  const readColumn: Read<[C, string]> = (raw) => {
    const [, name = '', column = ''] = /^([^=]*)=(.*)$/s.exec(raw) ?? [];
    const field = fields.find((known) => known === name.trim());
    if (field === undefined || column.trim() === '') {
      throw new RangeError(`must be <field>=<column>, with a field of ${fields.join(', ')}`);
    }
    return [field, column.trim()];
  };
  const given = input.every('map', readColumn);
  const columns = Object.fromEntries(given) as ColumnNames<C>;
  if (Object.keys(columns).length < given.length) {
    throw new UsageError('--map names a field twice.', 'Give each field one column.', '--map');
  }
  const names = new Set(given.map(([, column]) => column.toLowerCase()));
  if (names.size < given.length) {
    throw new UsageError('--map gives two fields the same column.', 'Give each field a column of its own.', '--map');
  }
  return columns;
}
