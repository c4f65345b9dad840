import { describe, expect, test } from '@jest/globals';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { clausesOf, codeSpan, readDocument, ROOT, tableRows } from './markdown';

/** What stands where a clause has no test. */
const WITHOUT_TEST = ['not yet', 'no test'];

/** Titles of blocks and tests: the first argument of `describe`, `it`, `test`, also behind `.each(...)`. */
const TITLE =
  /(?:\b(describe|it|test)(?:\.\w+)*|[)`])\(\s*('(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`)\s*,/g;

/** The titles of a test file, as its source has them. */
function titlesOf(source: string): Set<string> {
  return new Set([...source.matchAll(TITLE)].map((match) => (match[2] ?? '').slice(1, -1).replace(/\\(.)/g, '$1')));
}

/** The id of the clause that a cell links to: `[trimming](contract.md#trimming)`. */
const linkedClause = (cell: string): string | null => /^\[([\w-]+)\]\(contract\.md#\1\)$/.exec(cell)?.[1] ?? null;

const rows = tableRows(readDocument('docs/spec-map.md')).filter(([, , file]) => file !== 'test file');
const named = rows.filter(([, , file = '']) => !WITHOUT_TEST.includes(file));
const clauses = clausesOf(readDocument('docs/contract.md'));
const linked = rows.flatMap(([clause = '', , file = '']) =>
  clause === '' ? [] : [{ id: linkedClause(clause), file }],
);

describe('docs/spec-map.md', () => {
  test('every row names a clause or goes on with the one above, and a test or why there is none', () => {
    const broken = rows.filter(([clause = '', says = '', file = '', title = ''], i) => {
      if (i === 0 && clause === '') return true;
      if (file === 'not yet') return clause === '' || says !== '' || title !== '';
      if (file === 'no test') return says === '' || title !== '';
      return (clause !== '' && says === '') || codeSpan(file) === null || codeSpan(title) === null;
    });
    expect(broken).toEqual([]);
    expect(named.length).toBeGreaterThan(150);
  });

  test('it names every clause of the contract once, in order', () => {
    expect(linked.map(({ id }) => id)).toEqual(clauses.map(({ id }) => id));
  });

  test('a clause that is built has a row with a test, any other is marked so', () => {
    let id: string | null = null;
    const held = new Set<string | null>();
    for (const [clause = '', , file = ''] of rows) {
      if (clause !== '') id = linkedClause(clause);
      if (!WITHOUT_TEST.includes(file)) held.add(id);
    }
    expect(clauses.filter((clause) => clause.built && !held.has(clause.id))).toEqual([]);
    const later = linked.flatMap((row) => (row.file === 'not yet' ? [row.id] : []));
    expect(later).toEqual(clauses.flatMap((clause) => (clause.built ? [] : [clause.id])));
  });

  test('every test it names exists', () => {
    const titles = new Map<string, Set<string>>();
    const missing = named.filter(([, , fileCell = '', titleCell = '']) => {
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

  test('a clause is a heading of the third level, with its mark', () => {
    const contract = '## Section\n\n### One: a clause\n\nText.\n\n### Two\n\n_Not built yet._ Text.\n';
    expect(clausesOf(contract)).toEqual([
      { id: 'one-a-clause', built: true },
      { id: 'two', built: false },
    ]);
    expect(linkedClause('[two](contract.md#two)')).toBe('two');
    expect(linkedClause('[two](contract.md#one)')).toBe(null);
  });
});
