import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clausesOf, readDocument, ROOT, tableRows } from './markdown';

/** What the script prints for a project, or what it complains of. */
function print(...project: string[]): { page: string; fault: string } {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [join(ROOT, 'test/docs/spec-map.mjs'), '--print', ...project],
    {
      encoding: 'utf8',
    },
  );
  return { page: stdout, fault: /Error: (.*)/.exec(stderr)?.[1] ?? '' };
}

describe('docs/spec-map.md', () => {
  test('is what npm run spec-map writes', () => {
    const { page, fault } = print();
    expect(fault).toBe('');
    expect(page === readDocument('docs/spec-map.md')).toBe(true);
  });

  test('names every clause of the contract once, in order', () => {
    const rows = tableRows(readDocument('docs/spec-map.md')).slice(1);
    const linked = rows.flatMap(([clause = '']) => /^\[([\w-]+)\]\(contract\.md#\1\)$/.exec(clause)?.[1] ?? []);
    expect(linked).toEqual(clausesOf(readDocument('docs/contract.md')).map(({ id }) => id));
    expect(rows.length).toBeGreaterThan(800);
  });
});

describe('npm run spec-map', () => {
  let project: string;
  beforeEach(() => {
    project = mkdtempSync(join(tmpdir(), 'kurir-spec-'));
    mkdirSync(join(project, 'docs'));
    mkdirSync(join(project, 'test'));
    writeFileSync(join(project, 'docs/contract.md'), '## Section\n\n### One clause\n\n<!-- no test: by a look -->\n');
  });
  afterEach(() => rmSync(project, { recursive: true }));

  const pageOf = (test: string): ReturnType<typeof print> => {
    writeFileSync(join(project, 'test/a.test.ts'), test.replaceAll('@', '// spec: docs/contract.md#'));
    return print(project);
  };

  test('finds a test however it is written, and names its block where the title alone would be ambiguous', () => {
    const { page, fault } = pageOf(`
      describe('a block', () => {
        @one-clause: what it says,
        //   in two lines
        it("has 'quotes'", () => {});
        @one-clause: for each
        test.each([['x']])('%s', () => {});
        @one-clause: for each
        (true ? it.skip : it)(\`it's \\\`ticked\\\`\`, () => {});
      });
      describe('another', () => {
        test("has 'quotes'", () => {});
      });`);
    expect(fault).toBe('');
    expect(tableRows(page).slice(1)).toEqual([
      [
        '[one-clause](contract.md#one-clause)',
        'what it says, in two lines',
        '`test/a.test.ts`',
        "`a block › has 'quotes'`",
      ],
      ['', 'for each', '`test/a.test.ts`', '`a block › %s`'],
      ['', '', '`test/a.test.ts`', "`` it's `ticked` ``"],
      ['', 'by a look', 'no test', ''],
    ]);
  });

  test.each([
    ['test("one", () => {});', 'No test holds '],
    ['@one-clause: says\ntest("one", () => {});\n@two: says\ntest("two", () => {});', 'there is no clause'],
    ['@one-clause: says\nconst a = 1;', 'is not at a test, or is not so.'],
    ['@one-clause\ntest("one", () => {});', 'is not at a test, or is not so.'],
  ])('refuses %j', (text, fault) => {
    expect(pageOf(text).fault).toContain(fault);
  });
});
