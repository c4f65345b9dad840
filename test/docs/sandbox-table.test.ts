import { expect, test } from '@jest/globals';
import { BEHAVIOURS } from '../../sandbox/behaviour';
import { codeSpan, readDocument, tableRows } from './markdown';

test('docs/sandbox.md says of every sandbox address what sandbox/behaviour.ts does, in order', () => {
  const rows = tableRows(readDocument('docs/sandbox.md')).map(([address = '', about = '']) => [
    codeSpan(address),
    about,
  ]);
  const printed = rows.filter(([address]) => address?.endsWith('@…'));
  expect(printed).toEqual(Object.entries(BEHAVIOURS).map(([name, { about }]) => [`${name}@…`, about]));
});
