import { describe, expect, test } from '@jest/globals';
import { DAY } from '../../../lib/clock';
import { addressPenalty, isPremium, lateDebit, ledgerId, messagePenalty, refund } from '../../../domain/ledger/coins';
import { TEST_START } from '../../support/clock';

const ID = '01890a5d-ac96-774b-bcce-b302099a8057';

describe('premium account (holds valid purchased coins)', () => {
  const account = (balance: number, expiresAt?: number | null) => ({
    workspaceId: 1,
    balance,
    ...(expiresAt === undefined ? {} : { purchase: { expiresAt } }),
  });

  test('never bought coins: free, whatever the balance', () => {
    expect(isPremium(account(100_000), TEST_START)).toBe(false);
  });

  test('bought coins that never expire: premium while there is one', () => {
    expect(isPremium(account(1, null), TEST_START)).toBe(true);
    expect(isPremium(account(0, null), TEST_START)).toBe(false);
    expect(isPremium(account(-4, null), TEST_START)).toBe(false);
  });

  // spec: docs/contract.md#send-rate: premium: holds valid purchased coins
  test('bought coins that expire: premium until that moment', () => {
    expect(isPremium(account(1, TEST_START + 1), TEST_START)).toBe(true);
    expect(isPremium(account(1, TEST_START), TEST_START)).toBe(false);
  });
});

describe('ledger rows', () => {
  test('a refund gives back the one coin of its attempt', () => {
    expect(refund(7, ID, 2, TEST_START)).toEqual({
      id: `refund:${ID}:2`,
      workspaceId: 7,
      kind: 'refund',
      amount: 1,
      messageId: ID,
      at: TEST_START,
    });
  });

  test('a hand-off proven late takes its coin again, once', () => {
    expect(lateDebit(7, ID, TEST_START)).toMatchObject({
      id: `debit:${ID}:late`,
      kind: 'debit',
      amount: -1,
      messageId: ID,
    });
    expect(lateDebit(7, ID, TEST_START + DAY).id).toBe(lateDebit(7, ID, TEST_START).id);
  });

  // spec: docs/contract.md#penalty-for-a-bounce-or-complaint: hard bounce or spam report: 4-coin penalty once per
  //   message, address suppressed
  test('a hard bounce or spam report costs 4 coins, once per message', () => {
    expect(messagePenalty(7, ID, TEST_START)).toMatchObject({
      id: `penalty:${ID}`,
      kind: 'penalty',
      amount: -4,
      messageId: ID,
    });
    expect(messagePenalty(7, ID, TEST_START + DAY).id).toBe(messagePenalty(7, ID, TEST_START).id);
    expect(messagePenalty(7, ID, TEST_START).gate).toBeUndefined();
  });

  test('a forced send costs 4 coins, gated to once per address plus reason per 24 hours', () => {
    const penalty = addressPenalty(7, 'hash', 'suppressed', TEST_START);
    expect(penalty).toMatchObject({ workspaceId: 7, kind: 'penalty', amount: -4, messageId: null, at: TEST_START });
    expect(penalty.gate).toEqual({ key: 'hash:suppressed', windowMs: DAY });
  });

  test('the gate is the same at any time, and another for another address or reason', () => {
    const gate = (hash: string, reason: 'malformed' | 'suppressed', at: number): string | undefined =>
      addressPenalty(7, hash, reason, at).gate?.key;
    expect(gate('a', 'malformed', TEST_START)).toBe(gate('a', 'malformed', TEST_START + DAY));
    expect(gate('a', 'malformed', TEST_START)).not.toBe(gate('b', 'malformed', TEST_START));
    expect(gate('a', 'malformed', TEST_START)).not.toBe(gate('a', 'suppressed', TEST_START));
  });

  test('no two facts share an id', () => {
    const ids = [
      ledgerId.debit(ID, 1),
      ledgerId.debit(ID, 2),
      ledgerId.lateDebit(ID),
      ledgerId.refund(ID, 1),
      ledgerId.refund(ID, 2),
      ledgerId.messagePenalty(ID),
      ledgerId.addressPenalty('hash', 'malformed', TEST_START),
      ledgerId.addressPenalty('hash', 'suppressed', TEST_START),
      ledgerId.addressPenalty('hash', 'malformed', TEST_START + DAY),
      ledgerId.topup('invoice-1'),
    ];
    expect(new Set(ids).size).toBe(ids.length);
  });
});
