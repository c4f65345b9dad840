import { describe, expect, test } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readDocument, ROOT, sectionOf } from './markdown';

const README = 'docs/README.md';
const WAYS = ['Developers', 'Marketers', 'Administrators', 'Maintainers'];
const pages = [
  ...readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md')),
  'dashboard/README.md',
  'decisions/README.md',
].filter((name) => name !== 'README.md');

describe('the ways into the documents', () => {
  test.each(WAYS)('%s are led through five pages in order, with a sentence on each', (way) => {
    const steps = [...sectionOf(readDocument(README), way).matchAll(/^(\d)\. \[[^\]]+\]\([^)]+\): .+\.$/gm)];
    expect(steps.map(([, number]) => Number(number))).toEqual([1, 2, 3, 4, 5]);
  });

  test('every page is listed', () => {
    const listed = new Set([...readDocument(README).matchAll(/\]\(([^)#]+)/g)].map(([, target]) => target));
    expect(pages.filter((page) => !listed.has(page))).toEqual([]);
  });
});

describe('every page', () => {
  test.each(pages)('%s begins with what it is for, and ends with where to go next', (page) => {
    const text = readDocument(join('docs', page));
    expect(text).toMatch(/^# .+\n\n[\w`[][^\n]+\n/);
    expect(text.trimEnd().split('\n\n').at(-1)).toMatch(/^Next: .*\[.+\]\(/);
  });
});
