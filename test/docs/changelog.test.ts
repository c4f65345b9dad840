import { expect, it } from '@jest/globals';
import { VERSION } from '../../lib/version';
import { readDocument } from './markdown';

it('the newest release in CHANGELOG.md has the version of package.json', () => {
  const sections = [...readDocument('CHANGELOG.md').matchAll(/^## \[(.+?)\]/gm)].map(([, name]) => name);
  expect(sections.find((name) => name !== 'Unreleased')).toBe(VERSION);
  expect(sections.slice(1)).not.toContain('Unreleased');
});
