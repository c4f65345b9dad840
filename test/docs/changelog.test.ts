import { expect, it } from '@jest/globals';
import { VERSION } from '../../app/core/version';
import { readDocument } from './markdown';

it('CHANGELOG.md begins with the version of package.json', () => {
  expect(/^## \[(.+?)\]/m.exec(readDocument('CHANGELOG.md'))?.[1]).toBe(VERSION);
});
