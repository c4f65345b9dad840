import { expect, test } from '@jest/globals';
import { builtInRules } from '../../../domain/bounces/bounce-rules';
import refusals from './refusals.json';

/** Refusals in the wording of the servers they are named after, with the class each is. */
test.each(refusals.map((row) => [row.server, row.class, row.text]))('%s, %s: %.80s', (_server, expected, text) => {
  expect(builtInRules.classify(text)).toMatchObject({ class: expected });
});
