import { ColumnList, columns, type CodedColumn } from './columns';
import type { Database } from './database';

/** Any value as JSON, also null. */
const value: CodedColumn<unknown> = {
  column: 'value',
  encode: (given) => JSON.stringify(given),
  decode: (stored) => JSON.parse(stored as string) as unknown,
};
/** The columns of `settings`. */
export const SETTING = new ColumnList<{ name: string; value: unknown }>('settings', { ...columns('name'), value });

/** The value of a setting; undefined if there is none. */
export const readSetting = (db: Database, name: string): unknown => SETTING.get(db, 'WHERE name = ?', name)?.value;

/** Raises a setting that is a number; never lowers it. Must run inside a transaction. */
export function raiseSetting(db: Database, name: string, to: number): void {
  if (Number(readSetting(db, name) ?? 0) < to) SETTING.replace(db, { name, value: to });
}
