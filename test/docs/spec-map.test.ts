import { describe, expect, test } from '@jest/globals';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { codeSpan, readDocument, ROOT, tableRows } from './markdown';

/** What stands where a clause has no test. */
const WITHOUT_TEST = ['not yet', 'no test'];

/** Titles of blocks and tests: the first argument of `describe`, `it`, `test`, also behind `.each(...)`. */
const TITLE =
  /(?:\b(describe|it|test)(?:\.\w+)*|[)`])\(\s*('(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`)\s*,/g;

/** The titles of a test file, as its source has them. */
function titlesOf(source: string): Set<string> {
  return new Set([...source.matchAll(TITLE)].map((match) => (match[2] ?? '').slice(1, -1).replace(/\\(.)/g, '$1')));
}

const rows = tableRows(readDocument('docs/spec-map.md')).filter(([, file]) => file !== 'test file');
const named = rows.filter(([, file = '']) => !WITHOUT_TEST.includes(file));

describe('docs/spec-map.md', () => {
  test('every row names a clause or goes on with the one above, and a test or why there is none', () => {
    const broken = rows.filter(([clause, file = '', title = ''], i) => {
      if (WITHOUT_TEST.includes(file)) return !clause || title !== '';
      return (!clause && i === 0) || codeSpan(file) === null || codeSpan(title) === null;
    });
    expect(broken).toEqual([]);
    expect(named.length).toBeGreaterThan(150);
  });

  test('every test it names exists', () => {
    const titles = new Map<string, Set<string>>();
    const missing = named.filter(([, fileCell = '', titleCell = '']) => {
      const file = codeSpan(fileCell) ?? '';
      if (!file.startsWith('test/') || !existsSync(join(ROOT, file))) return true;
      const known = titles.get(file) ?? titlesOf(readDocument(file));
      titles.set(file, known);
      return !(codeSpan(titleCell) ?? '').split(' › ').every((part) => known.has(part));
    });
    expect(missing).toEqual([]);
  });

  test('a title is found however its test is written, and nothing else is', () => {
    const source = `
      describe('a block', () => {
        it("has 'quotes'", () => {});
        test.each(['x'])('a case: %s', () => {});
        test.each([
          [1],
        ])(
          \`it's \\\`ticked\\\`\`, () => {});
        const text = 'no title';
        expect('no title either').toBe(text);
      });`;
    expect([...titlesOf(source)]).toEqual(['a block', "has 'quotes'", 'a case: %s', "it's `ticked`"]);
  });
});
