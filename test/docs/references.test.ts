import { describe, expect, test } from '@jest/globals';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readDocument, ROOT } from './markdown';

const FOLDERS = /^(?:api|app|bench|bin|consumers|domain|email|sandbox|schemas|scripts|stores|streams|test|docs)\//;
const decisions = readdirSync(join(ROOT, 'docs/decisions')).map((name) => `docs/decisions/${name}`);
const documents = [
  'README.md',
  'CHANGELOG.md',
  'docs/architecture.md',
  'docs/cli.md',
  'docs/operations.md',
  'docs/spec-map.md',
  ...decisions,
];

/** The name a heading is linked by. */
const anchorOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

/** Targets of links into the project, as they stand in the text. */
const linksOf = (text: string): string[] =>
  [...text.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? '').filter((target) => !/^[a-z]+:/.test(target));

/** Files and folders that a text names in code: `api/app.ts`, `stores/ports/`. */
const pathsOf = (text: string): string[] =>
  [...text.matchAll(/`([\w.-]+\/[\w./-]*)`/g)].map((match) => match[1] ?? '').filter((path) => FOLDERS.test(path));

function isBroken(document: string, target: string): boolean {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? document : join(dirname(document), path);
  if (!existsSync(join(ROOT, file))) return true;
  if (anchor === undefined) return false;
  return ![...readDocument(file).matchAll(/^#+ (.+)$/gm)].some(([, heading]) => anchorOf(heading ?? '') === anchor);
}

describe('what the documents point at is there', () => {
  test.each(documents)('the links of %s', (document) => {
    expect(linksOf(readDocument(document)).filter((target) => isBroken(document, target))).toEqual([]);
  });

  test.each(documents)('the files that %s names', (document) => {
    expect(pathsOf(readDocument(document)).filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  test('the checks find what they are made for', () => {
    expect(linksOf('[a](b.md#c) and [d](https://e.test)')).toEqual(['b.md#c']);
    expect(isBroken('README.md', 'LICENSE')).toBe(false);
    expect(isBroken('README.md', 'NO-SUCH-FILE')).toBe(true);
    expect(isBroken('README.md', '#no-such-heading')).toBe(true);
    expect(pathsOf('`api/app.ts`, `stores/ports/`, `GET /account`, `text/plain`')).toEqual([
      'api/app.ts',
      'stores/ports/',
    ]);
  });
});
