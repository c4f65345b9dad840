import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { addressPenalty, PENALTY_WINDOW, type LedgerEntry } from '../../../../domain/ledger/coins';
import { book, type Books } from '../../../../stores/mongodb/ledger/booking';
import { aGrant } from '../../../support/builders';
import { TEST_START } from '../../../support/clock';

const NOTHING: Books = { account: { _id: 1, balance: 0, seq: 0 }, booked: new Set(), gates: new Map() };

const entries: fc.Arbitrary<LedgerEntry> = fc.oneof(
  fc
    .record({
      reference: fc.integer({ min: 1, max: 5 }),
      amount: fc.integer({ min: -9, max: 9 }),
      end: fc.option(fc.nat()),
    })
    .map(({ reference, amount, end }) => ({
      ...aGrant(1, amount),
      id: `topup:${reference}`,
      ...(amount > 5 ? { purchase: { expiresAt: end } } : {}),
    })),
  fc
    .record({ address: fc.constantFrom('a', 'b'), at: fc.integer({ min: 0, max: 3 }) })
    .map(({ address, at }) => addressPenalty(1, address, 'suppressed', TEST_START + (at * PENALTY_WINDOW) / 2)),
);

describe('booking', () => {
  it('of many entries at once ends as booking them one after the other', () => {
    fc.assert(
      fc.property(fc.array(entries, { maxLength: 12 }), (batch) => {
        const together = book(NOTHING, batch);
        let books = NOTHING;
        const outcomes = batch.flatMap((entry) => {
          const one = book(books, [entry]);
          books = {
            account: one.account,
            booked: new Set([...books.booked, ...one.rows.map(({ _id }) => _id)]),
            gates: new Map([...books.gates, ...one.gates]),
          };
          return one.outcomes;
        });
        expect(together.outcomes).toEqual(outcomes);
        expect(together.account).toEqual(books.account);
        expect(new Set(together.rows.map(({ _id }) => _id))).toEqual(books.booked);
        expect(together.rows.map(({ seq }) => seq)).toEqual(together.rows.map((_, n) => n + 1));
        expect(together.rows.reduce((sum, { amount }) => sum + amount, 0)).toBe(together.account.balance);
      }),
    );
  });
});
