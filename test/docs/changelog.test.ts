import { expect, it } from '@jest/globals';
import { VERSION } from '../../lib/version';
import { readDocument } from './markdown';

it('the newest release in CHANGELOG.md has the version of package.json', () => {
  const sections = [...readDocument('CHANGELOG.md').matchAll(/^## \[(.+?)\]/gm)].map(([, name]) => name);
  expect(sections.find((name) => name !== 'Unreleased')).toBe(VERSION);
  expect(sections.slice(1)).not.toContain('Unreleased');
});

it('each change in CHANGELOG.md stands under its kind, in one order', () => {
  const kinds = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];
  const releases = readDocument('CHANGELOG.md').split(/^## /m).slice(1);
  for (const release of releases) {
    const [head = '', ...parts] = release.split(/^### /m);
    expect(head).not.toMatch(/^- /m);
    const found = parts.map((part) => part.split('\n', 1)[0] ?? '');
    expect(kinds.filter((kind) => found.includes(kind))).toEqual(found);
  }
});
