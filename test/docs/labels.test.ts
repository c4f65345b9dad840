import { expect, test } from '@jest/globals';
import { textsOf } from '../../dashboard/texts/texts';
import { readDocument } from './markdown';

const labels = new Set(Object.values(textsOf('en')));

/** Pages that lead through screens. Their bold words are labels; those of other pages may be none. */
test.each(['docs/first-campaign.md', 'docs/first-email.md'])('%s names labels as the dashboard shows them', (page) => {
  const named = [...readDocument(page).matchAll(/\*\*([^*]+)\*\*/g)].map(([, label = '']) => label);
  expect(named.length).toBeGreaterThan(1);
  expect(named.filter((label) => !labels.has(label))).toEqual([]);
});
