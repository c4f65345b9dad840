import { expect, test } from '@jest/globals';
import { TRANSITIONS } from '../../domain/messages/lifecycle';
import { codeSpan, readDocument, sectionOf, tableRows } from './markdown';

// spec: docs/contract.md#transitions: the moves a message makes
test('the status table of docs/architecture.md is TRANSITIONS of domain/messages/lifecycle.ts', () => {
  const [, ...rows] = tableRows(sectionOf(readDocument('docs/architecture.md'), 'Status table'));
  const printed = rows.map(([from = '', to = '']) => [
    codeSpan(from),
    to === 'none' ? [] : to.split(', ').map(codeSpan),
  ]);
  expect(printed).toEqual(Object.entries(TRANSITIONS));
});
