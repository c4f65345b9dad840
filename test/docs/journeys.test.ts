import { expect, test } from '@jest/globals';
import { journeyTree } from '../../operations/journeys/journey-tree';
import { readJourney } from '../../schemas/journeys/read-journey';
import { aJourney } from '../support/marketing';
import { codeBlocks, readDocument } from './markdown';

const document = readDocument('docs/journeys.md');
const DOMAIN = { id: 1, name: 'demo.kurir.test' };

test('the first journey of docs/journeys.md is valid, and its diagram is the one that is shown', () => {
  const [file = ''] = codeBlocks(document, 'yaml');
  const read = readJourney(file, { domains: [DOMAIN], audiences: [] });
  if (!read.ok) throw new Error(JSON.stringify(read.errors));
  const names = { domains: new Map([[DOMAIN.id, DOMAIN.name]]), audiences: new Map<number, string>() };
  const tree = journeyTree({ ...aJourney(1, read.journey), id: 1, version: 1 }, names);
  expect(document).toContain(`\`\`\`\n${tree}\`\`\``);
});
