import { expect, test } from '@jest/globals';
import { texts } from '../../domain/texts';
import { MESSAGE_STATUSES } from '../../domain/messages/message';
import { WEBHOOK_EVENTS } from '../../domain/webhooks/webhook';
import { clausesOf, readDocument } from './markdown';

const contract = readDocument('docs/contract.md');

/** Every fixed text; where one holds a value, with the name that the contract gives it. */
const FIXED = Object.values({
  ...texts,
  campaignCoins: texts.campaignCoins('N', 'M'),
  campaignBraked: texts.campaignBraked('N', 'M'),
  mailTooLarge: texts.mailTooLarge('N', 'M'),
  missingScope: texts.missingScope('<scope>'),
  moduleInactive: texts.moduleInactive('{app_url}'),
});

test('docs/contract.md has every fixed text to the letter', () => {
  expect(FIXED.filter((text) => !contract.includes(`\`${text}\``))).toEqual([]);
});

test('docs/contract.md has every status of a message and every event', () => {
  const names = [...MESSAGE_STATUSES, ...WEBHOOK_EVENTS];
  expect(names.filter((name) => !contract.includes(`| \`${name}\``))).toEqual([]);
});

test('the names of its clauses are unique', () => {
  const ids = clausesOf(contract).map(({ id }) => id);
  expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([]);
  expect(ids.length).toBeGreaterThan(90);
});
