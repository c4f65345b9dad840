import type { Fields } from '../../../domain/field';
import { snakeCase } from '../../../lib/snake-case';
import type { Value } from './value';

/** The columns of fields whose names are words of SQL. */
const RENAMED: Readonly<Record<string, string>> = { to: 'recipient', toText: 'recipient_text' };

/** The column of a field: its name in snake case. */
export const columnName = (field: string): string => RENAMED[field] ?? snakeCase(field);

/** The definitions of the columns of declared fields, for CREATE TABLE and for a step that adds some of them. */
export const columnDefinitions = (fields: Fields): string[] =>
  Object.entries(fields).map(([name, { kind, traits }]) => {
    const type = kind === 'number' || kind === 'flag' ? 'INTEGER' : 'TEXT';
    const byDefault = 'initial' in traits ? ` DEFAULT ${literal(traits.initial as Value | boolean)}` : '';
    return `${columnName(name)} ${type}${traits.nullable ? '' : ' NOT NULL'}${byDefault}`;
  });

/** The statements of a step that adds the columns of fields that came later. */
export const addedColumns = <F extends Fields>(table: string, fields: F, ...names: (keyof F & string)[]): string[] =>
  columnDefinitions(Object.fromEntries(names.map((name) => [name, fields[name]!]))).map(
    (definition) => `ALTER TABLE ${table} ADD COLUMN ${definition}`,
  );

/** A trusted value as an SQL literal. */
export function literal(value: Value | boolean): string {
  if (value === null) return 'NULL';
  if (typeof value === 'boolean') return String(Number(value));
  return typeof value === 'number' ? String(value) : `'${String(value).replaceAll("'", "''")}'`;
}
