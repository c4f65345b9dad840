import { expect, it } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';

const ROOT = join(__dirname, '../..');
/** Suites of a port, of the whole program, and of what is no code. */
const OWN_TREES = ['contract', 'docs', 'e2e', 'fuzz', 'postfix', 'support'];

const list = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(ROOT.length + 1)
        .split(sep)
        .join('/'),
    );

const tests = list('test').flatMap((file) => /^test\/(.+?)(?:\.long|\.night)?\.test\.ts$/.exec(file)?.[1] ?? []);
const tops = [...new Set(tests.map((path) => path.split('/', 1)[0]!))].filter((top) => !OWN_TREES.includes(top));
const files = new Set(tops.flatMap(list));
const folders = new Set([...files].flatMap((file) => ancestors(file)));

function ancestors(file: string): string[] {
  const parent = dirname(file);
  return parent === '.' ? [] : [parent, ...ancestors(parent)];
}

/** Where a test of this name belongs; null where it is. */
function astray(path: string): string | null {
  if (files.has(`${path}.ts`) || folders.has(path)) return null;
  const folder = dirname(path);
  if (!folders.has(folder) && !files.has(`${folder}.ts`)) return `there is no ${folder}`;
  const named = [...files].filter((file) => file.startsWith(`${folder}/`) && basename(file) === `${basename(path)}.ts`);
  return named.length === 0 ? null : `it is named after ${named.join(', ')}`;
}

/** A test is where the tree has what it tests: `test/lib/clock.test.ts`, and `test/lib/clock/` for its parts. */
it('every test mirrors the tree', () => {
  const found = tests.filter((path) => tops.includes(path.split('/', 1)[0]!));
  expect(found.flatMap((path) => (astray(path) === null ? [] : `${path}: ${astray(path)}`))).toEqual([]);
});
