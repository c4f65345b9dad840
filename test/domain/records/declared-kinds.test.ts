import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { SET_BACK } from '../../../operations/ledger/settle-entries';

const OPERATIONS = join(__dirname, '../../../operations');
const sources = readdirSync(OPERATIONS, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => readFileSync(join(OPERATIONS, path), 'utf8'));
/** Each declaration up to its end, by name. */
const declared = sources.flatMap((text) =>
  [...text.matchAll(/ = record<[^(]*>\(\s*'(\w+)'(.*?)\);$/gms)].map(([, name = '', rules = '']) => ({ name, rules })),
);

it('every kind of record is declared once', () => {
  const names = declared.map(({ name }) => name);
  expect(names.length).toBeGreaterThan(20);
  expect(new Set(names).size).toBe(names.length);
});

it('every kind with a rule for a clock that was ahead is settled', () => {
  const ruled = declared.filter(({ rules }) => rules.includes('setBack')).map(({ name }) => name);
  expect(SET_BACK.map(({ name }) => name).sort()).toEqual(ruled.sort());
});
