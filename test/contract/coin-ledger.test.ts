import { describe, expect, it } from '@jest/globals';
import { addressPenalty, messagePenalty, PENALTY_WINDOW, refund, type LedgerEntry } from '../../domain/ledger/coins';
import { DAY } from '../../lib/clock';
import type { CoinLedger } from '../../stores/ports/coin-ledger';
import { aGrant, aSuppression, aWorkspace, messageId, nextSerial } from '../support/builders';
import { TEST_START } from '../support/clock';
import { onEveryDriver } from './drivers';
import { sharedEngine, type OpenEngine, type Subject } from './harness';
import { atOnce } from './helpers';

const UNKNOWN = 999_999_999;
const newWorkspace = async (subject: Subject): Promise<number> =>
  (await subject.stores.workspaces.create(aWorkspace())).id;

/** The rows of a workspace read in pages of `limit`, each page checked. */
async function allRows(coins: CoinLedger, workspaceId: number, limit = 100): ReturnType<CoinLedger['rows']> {
  const rows: Awaited<ReturnType<CoinLedger['rows']>> = [];
  for (;;) {
    const page = await coins.rows(workspaceId, rows.at(-1)?.seq ?? 0, limit);
    expect(page.length).toBeLessThanOrEqual(limit);
    if (page.length === 0) return rows;
    rows.push(...page);
  }
}

function describePost(open: OpenEngine): void {
  describe('post', () => {
    const subject = sharedEngine(open);

    it('books an entry once: again it exists and has no effect', async () => {
      const workspaceId = await newWorkspace(subject);
      const entry = aGrant(workspaceId, 500);
      expect(await subject.stores.coins.post(entry)).toBe('posted');
      expect(await subject.stores.coins.post({ ...entry, amount: 900, at: TEST_START + 1 })).toBe('exists');
      expect((await subject.stores.coins.account(workspaceId)).balance).toBe(500);
      expect(await allRows(subject.stores.coins, workspaceId)).toHaveLength(1);
    });

    it('books one of 50 posts of one id at once', async () => {
      const workspaceId = await newWorkspace(subject);
      const entry = aGrant(workspaceId, 7);
      const outcomes = await atOnce(50, () => subject.stores.coins.post(entry));
      expect(outcomes.filter((outcome) => outcome === 'posted')).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome === 'exists')).toHaveLength(49);
      expect((await subject.stores.coins.account(workspaceId)).balance).toBe(7);
      expect(await allRows(subject.stores.coins, workspaceId)).toHaveLength(1);
    });

    // spec: docs/contract.md#balance: the balance is the sum of the ledger
    it('keeps the balance the sum of the rows under posts at once', async () => {
      const workspaceId = await newWorkspace(subject);
      const amounts = Array.from({ length: 100 }, (_, index) => (index % 3 === 0 ? 11 : -4));
      await Promise.all(amounts.map((amount) => subject.stores.coins.post(aGrant(workspaceId, amount))));
      const rows = await allRows(subject.stores.coins, workspaceId, 30);
      expect(rows.map(({ amount }) => amount).sort((a, b) => a - b)).toEqual([...amounts].sort((a, b) => a - b));
      const sum = amounts.reduce((total, amount) => total + amount, 0);
      expect((await subject.stores.coins.account(workspaceId)).balance).toBe(sum);
    });

    // spec: docs/contract.md#balance: the balance can go negative; sending stops until it is positive
    it('lets the balance go negative through penalties', async () => {
      const workspaceId = await newWorkspace(subject);
      await subject.stores.coins.post(aGrant(workspaceId, 3));
      await subject.stores.coins.post(messagePenalty(workspaceId, messageId(), TEST_START));
      expect((await subject.stores.coins.account(workspaceId)).balance).toBe(-1);
    });

    it('keeps what it acknowledged through a crash', async () => {
      const workspaceId = await newWorkspace(subject);
      const entry = aGrant(workspaceId, 40, { purchase: { expiresAt: null } });
      await subject.stores.coins.post(entry);
      await subject.crash();
      expect(await subject.stores.coins.account(workspaceId)).toEqual({
        workspaceId,
        balance: 40,
        purchase: { expiresAt: null },
      });
      expect(await subject.stores.coins.post(entry)).toBe('exists');
    });
  });
}

function describeGate(open: OpenEngine): void {
  describe('a gated entry', () => {
    const subject = sharedEngine(open);
    /** Penalties of one address and reason, by the time they are for. */
    const penalties = async () => {
      const workspaceId = await newWorkspace(subject);
      const { addressHash } = aSuppression();
      const post = (at: number) =>
        subject.stores.coins.post(addressPenalty(workspaceId, addressHash, 'suppressed', at));
      return {
        workspaceId,
        addressHash,
        post,
        balance: async () => (await subject.stores.coins.account(workspaceId)).balance,
      };
    };

    // spec: docs/contract.md#penalty-for-a-forced-send: forced send: 4-coin penalty, once per address plus reason per
    //   24 hours
    it('is booked again only when the window since the last booked one has passed', async () => {
      const { post, balance } = await penalties();
      expect(await post(TEST_START)).toBe('posted');
      expect(await post(TEST_START + 1)).toBe('gated');
      expect(await post(TEST_START + PENALTY_WINDOW - 1)).toBe('gated');
      expect(await post(TEST_START + PENALTY_WINDOW)).toBe('posted');
      expect(await post(TEST_START + 2 * PENALTY_WINDOW - 1)).toBe('gated');
      expect(await balance()).toBe(-8);
    });

    it('exists when it is the one that was booked', async () => {
      const { post, balance } = await penalties();
      await post(TEST_START);
      expect(await post(TEST_START)).toBe('exists');
      expect(await balance()).toBe(-4);
    });

    it('is held back also when it is for an earlier time and comes later', async () => {
      const { post, balance } = await penalties();
      await post(TEST_START);
      expect(await post(TEST_START - 1_000)).toBe('gated');
      expect(await balance()).toBe(-4);
    });

    it('is booked once of 50 that come at once', async () => {
      const { post, balance } = await penalties();
      const outcomes = await atOnce(50, (index) => post(TEST_START + index));
      expect(outcomes.filter((outcome) => outcome === 'posted')).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome === 'gated')).toHaveLength(49);
      expect(await balance()).toBe(-4);
    });

    it('is held back by its own gate only: another reason, another workspace at the same instant', async () => {
      const { workspaceId, addressHash, post } = await penalties();
      const other = await newWorkspace(subject);
      const { coins } = subject.stores;
      await post(TEST_START);
      expect(await coins.post(addressPenalty(workspaceId, addressHash, 'malformed', TEST_START))).toBe('posted');
      expect(await coins.post(addressPenalty(other, addressHash, 'suppressed', TEST_START))).toBe('posted');
      expect((await coins.account(workspaceId)).balance).toBe(-8);
      expect((await coins.account(other)).balance).toBe(-4);
    });

    it('is held back after a crash too', async () => {
      const { post } = await penalties();
      await post(TEST_START);
      await subject.crash();
      expect(await post(TEST_START + 1)).toBe('gated');
    });
  });
}

function describeAccount(open: OpenEngine): void {
  describe('account', () => {
    const subject = sharedEngine(open);
    const buy = (workspaceId: number, expiresAt: number | null) =>
      subject.stores.coins.post(aGrant(workspaceId, 10, { kind: 'topup', purchase: { expiresAt } }));

    it('is zero for a workspace without rows, known or not', async () => {
      const workspaceId = await newWorkspace(subject);
      expect(await subject.stores.coins.account(workspaceId)).toEqual({ workspaceId, balance: 0 });
      expect(await subject.stores.coins.account(UNKNOWN)).toEqual({ workspaceId: UNKNOWN, balance: 0 });
    });

    it('has no purchase when coins were only given', async () => {
      const workspaceId = await newWorkspace(subject);
      await subject.stores.coins.post(aGrant(workspaceId, 10));
      expect(await subject.stores.coins.account(workspaceId)).toEqual({ workspaceId, balance: 10 });
    });

    const [early, late] = [TEST_START + DAY, TEST_START + 2 * DAY];
    it.each<[string, (number | null)[], number | null]>([
      ['a later end extends it', [early, late], late],
      ['an earlier end does not shorten it', [late, early], late],
      ['one without end makes it never end', [late, null], null],
      ['one with an end does not take that back', [null, late], null],
    ])('tells when the last purchase ends: %s', async (_, ends, expiresAt) => {
      const workspaceId = await newWorkspace(subject);
      for (const end of ends) await buy(workspaceId, end);
      await subject.stores.coins.post(aGrant(workspaceId, -4, { kind: 'penalty' }));
      expect(await subject.stores.coins.account(workspaceId)).toEqual({
        workspaceId,
        balance: 16,
        purchase: { expiresAt },
      });
    });
  });
}

function describeRows(open: OpenEngine): void {
  describe('rows', () => {
    const subject = sharedEngine(open);

    it('come in order of booking, page by page, with every field', async () => {
      const [workspaceId, other] = [await newWorkspace(subject), await newWorkspace(subject)];
      const message = messageId();
      const entries: LedgerEntry[] = [
        aGrant(workspaceId, 100, { kind: 'topup', purchase: { expiresAt: null }, at: TEST_START + 9 }),
        refund(workspaceId, message, 1, TEST_START + 1),
        messagePenalty(workspaceId, message, TEST_START + 2),
        addressPenalty(workspaceId, aSuppression().addressHash, 'malformed', TEST_START),
        aGrant(workspaceId, -1, { kind: 'debit' }),
      ];
      for (const entry of entries) {
        await subject.stores.coins.post(entry);
        await subject.stores.coins.post(aGrant(other, 1));
      }
      const rows = await allRows(subject.stores.coins, workspaceId, 2);
      const bare = entries.map(({ id, kind, amount, messageId, at }) => ({
        id,
        workspaceId,
        kind,
        amount,
        messageId,
        at,
      }));
      expect(rows.map(({ seq: _, ...row }) => row)).toEqual(bare);
      const seqs = rows.map(({ seq }) => seq);
      expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b));
      expect(seqs[0]).toBeGreaterThan(0);
    });

    it('are listed newest first too, page by page', async () => {
      const workspaceId = await newWorkspace(subject);
      for (let n = 1; n <= 5; n += 1) await subject.stores.coins.post(aGrant(workspaceId, n));
      await subject.stores.coins.post(aGrant(await newWorkspace(subject), 9));
      const { coins } = subject.stores;
      const all = await coins.rows(workspaceId, 0, 10);
      expect(await coins.newest(workspaceId, 10)).toEqual([...all].reverse());
      expect((await coins.newest(workspaceId, 2)).map(({ amount }) => amount)).toEqual([5, 4]);
      expect((await coins.newest(workspaceId, 2, all[3]?.seq)).map(({ amount }) => amount)).toEqual([3, 2]);
      expect(await coins.newest(workspaceId, 2, all[0]?.seq)).toEqual([]);
    });

    it('of a message are those of that message in that workspace', async () => {
      const [workspaceId, other] = [await newWorkspace(subject), await newWorkspace(subject)];
      const message = messageId();
      const entries = [
        refund(workspaceId, message, nextSerial(), TEST_START),
        messagePenalty(workspaceId, message, TEST_START),
      ];
      for (const entry of entries) await subject.stores.coins.post(entry);
      await subject.stores.coins.post(refund(workspaceId, messageId(), 1, TEST_START));
      await subject.stores.coins.post(aGrant(workspaceId, 5));
      const rows = await subject.stores.coins.ofMessage(workspaceId, message);
      expect(rows).toEqual(entries);
      expect(await subject.stores.coins.ofMessage(other, message)).toEqual([]);
    });

    it('of a message come in order of time, however they were booked', async () => {
      const workspaceId = await newWorkspace(subject);
      const message = messageId();
      const [later, sooner] = [
        messagePenalty(workspaceId, message, TEST_START + 2),
        refund(workspaceId, message, 1, TEST_START + 1),
      ];
      for (const entry of [later, sooner]) await subject.stores.coins.post(entry);
      expect(await subject.stores.coins.ofMessage(workspaceId, message)).toEqual([sooner, later]);
    });
  });
}

/** The CoinLedger behaviour required of every driver. */
function describeCoinLedger(open: OpenEngine): void {
  describe('CoinLedger', () => {
    describePost(open);
    describeGate(open);
    describeAccount(open);
    describeRows(open);
  });
}

onEveryDriver(describeCoinLedger);
