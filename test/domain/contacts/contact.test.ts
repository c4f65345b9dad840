import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { CONTACT_STATUSES, raiseContactStatus } from '../../../domain/contacts/contact';

const status = fc.constantFrom(...CONTACT_STATUSES);

describe('the status of a contact under feedback', () => {
  test.each([
    ['subscribed', 'unsubscribed', 'unsubscribed'],
    ['subscribed', 'bounced', 'bounced'],
    ['unsubscribed', 'complained', 'complained'],
    ['bounced', 'complained', 'complained'],
    ['complained', 'bounced', 'complained'],
    ['bounced', 'unsubscribed', 'bounced'],
    ['unsubscribed', 'subscribed', 'unsubscribed'],
    ['complained', 'subscribed', 'complained'],
  ] as const)('at %s, hearing of %s, is %s', (current, next, result) => {
    expect(raiseContactStatus(current, next)).toBe(result);
  });

  test('ends alike for any order and repetition of the same reports (I7)', () => {
    const reports = fc.array(status, { minLength: 1, maxLength: 6 });
    const shuffled = reports.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray([...list, ...list], { minLength: list.length * 2 })),
    );
    fc.assert(
      fc.property(shuffled, ([list, again]) => {
        expect(again.reduce(raiseContactStatus, 'subscribed')).toBe(list.reduce(raiseContactStatus, 'subscribed'));
      }),
    );
  });
});
