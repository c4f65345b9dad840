import { expect, test } from '@jest/globals';
import { BEHAVIOURS } from '../../sandbox/behaviour';
import { HOOK_BEHAVIOURS } from '../../sandbox/hooks/hook-behaviour';
import { codeSpan, readDocument, tableRows } from './markdown';

test('docs/sandbox.md says of every sandbox address what sandbox/behaviour.ts does, in order', () => {
  const rows = tableRows(readDocument('docs/sandbox.md')).map(([address = '', about = '']) => [
    codeSpan(address),
    about,
  ]);
  const printed = rows.filter(([address]) => address?.endsWith('@…'));
  expect(printed).toEqual(Object.entries(BEHAVIOURS).map(([name, { about }]) => [`${name}@…`, about]));
});

test('docs/sandbox.md says of every hook that fails on purpose what it does, in order', () => {
  const rows = tableRows(readDocument('docs/sandbox.md')).map(([name = '', about = '']) => [codeSpan(name), about]);
  const hooks = [...HOOK_BEHAVIOURS].map(([name, { about }]) => [name, about]);
  expect(rows.slice(-hooks.length)).toEqual(hooks);
});
