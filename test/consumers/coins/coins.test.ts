import { describe, expect, it } from '@jest/globals';
import { createCoinsConsumer } from '../../../consumers/coins';
import { NOT_IN_STORE } from '../../../consumers/not-in-store';
import { DAY } from '../../../lib/clock';
import { addressPenalty, lateDebit, messagePenalty, refund, type LedgerEntry } from '../../../domain/ledger/coins';
import { decodeRecord } from '../../../streams/decode-record';
import { dead, ok } from '../../../streams/results';
import { openTemporary } from '../../contract/embedded/open';
import { sharedEngine } from '../../contract/harness';
import { acceptMessage, aGrant, aWorkspace, createSender, messageId, storedRecord } from '../../support/builders';
import { TEST_START } from '../../support/clock';

const subject = sharedEngine(openTemporary);

// As a record reaches the consumer: through JSON, and decoded by the runner.
const handle = async (value: unknown) => {
  const stored = value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown);
  const { record, fault } = decodeRecord(storedRecord('coins.entries', stored));
  return record ? createCoinsConsumer({ stores: subject.stores }).handle(record) : dead(fault);
};
const workspaceId = async (): Promise<number> => (await subject.stores.workspaces.create(aWorkspace())).id;
/** A message of a new workspace that has no coins. */
const aMessage = async (): Promise<{ workspace: number; id: string }> => {
  const sender = await createSender(subject.stores, { coins: 0 });
  return { workspace: sender.workspace.id, id: (await acceptMessage(subject.stores, sender)).id };
};
const balance = async (workspace: number): Promise<number> => (await subject.stores.coins.account(workspace)).balance;

describe('the coins consumer', () => {
  it('reads the group of the ledger', () => {
    expect(createCoinsConsumer({ stores: subject.stores })).toMatchObject({ group: 'coins' });
  });

  it('books refunds, penalties, top-ups, grants and late debits', async () => {
    const { workspace, id } = await aMessage();
    const at = TEST_START;
    const topup = aGrant(workspace, 100, { kind: 'topup', purchase: { expiresAt: null } });
    const entries = [
      topup,
      aGrant(workspace, 10),
      aGrant(workspace, -3),
      refund(workspace, id, 1, at),
      messagePenalty(workspace, id, at),
      addressPenalty(workspace, 'hash', 'malformed', at),
      lateDebit(workspace, id, at),
    ];
    for (const entry of entries) expect(await handle(entry)).toEqual(ok);
    expect(await subject.stores.coins.account(workspace)).toEqual({
      workspaceId: workspace,
      balance: 100 + 10 - 3 + 1 - 4 - 4 - 1,
      purchase: { expiresAt: null },
    });
    const rows = await subject.stores.coins.rows(workspace, 0, 100);
    expect(rows.map((row) => row.id)).toEqual(entries.map((entry) => entry.id));
  });

  it('books an entry once, however often and at once the record arrives', async () => {
    const { workspace, id } = await aMessage();
    const entry = refund(workspace, id, 1, TEST_START);
    const results = await Promise.all(Array.from({ length: 20 }, () => handle(entry)));
    expect(results.filter(({ kind }) => kind === 'ok')).toHaveLength(1);
    expect(await handle(entry)).toEqual({ kind: 'drop', reason: 'already booked' });
    expect(await balance(workspace)).toBe(1);
  });

  it('books one penalty of an address and reason in 24 hours, also when they arrive at once', async () => {
    const workspace = await workspaceId();
    const penalty = (at: number): LedgerEntry => addressPenalty(workspace, 'alamat', 'suppressed', at);
    const results = await Promise.all([1, 2, 3, 4].map((ms) => handle(penalty(TEST_START + ms))));
    expect(results.map(({ kind }) => kind).sort()).toEqual(['drop', 'drop', 'drop', 'ok']);
    expect(await handle(penalty(TEST_START + DAY - 1))).toMatchObject({ kind: 'drop' });
    expect(await balance(workspace)).toBe(-4);
    expect(await handle(penalty(TEST_START + DAY + 5))).toEqual(ok);
    expect(await balance(workspace)).toBe(-8);
  });

  const good = refund(1, messageId(), 1, TEST_START);
  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'refund'],
    ['no id', { ...good, id: undefined }],
    ['an empty id', { ...good, id: '' }],
    ['no workspace', { ...good, workspaceId: null }],
    ['a workspace that is a text', { ...good, workspaceId: '1' }],
    ['an unknown kind', { ...good, kind: 'gift' }],
    ['no amount', { ...good, amount: undefined }],
    ['an amount of zero', { ...good, amount: 0 }],
    ['half a coin', { ...good, amount: 0.5 }],
    ['an amount that is a text', { ...good, amount: '1' }],
    ['more coins than can be counted', { ...good, amount: 2 ** 53 }],
    ['a refund that takes', { ...good, amount: -1 }],
    ['a top-up that takes', { ...good, kind: 'topup', amount: -1 }],
    ['a penalty that gives', { ...good, kind: 'penalty', amount: 4 }],
    ['a debit that gives', { ...good, kind: 'debit', amount: 1 }],
    ['no time', { ...good, at: null }],
    ['a gate without a window', { ...good, gate: { key: 'a:b' } }],
    ['a purchase without an end', { ...good, purchase: {} }],
  ])('parks a record that carries %s, with the reason, and books nothing', async (_, value) => {
    const before = await balance(1);
    expect(await handle(value)).toEqual({
      kind: 'dead',
      reason: expect.stringContaining('not a record of coins.entries, version 1: '),
    });
    expect(await balance(1)).toBe(before);
  });

  it('books records of a newer program that say more', async () => {
    const { workspace, id } = await aMessage();
    expect(await handle({ ...refund(workspace, id, 1, TEST_START), note: 'x' })).toEqual(ok);
    expect(await balance(workspace)).toBe(1);
  });

  it('parks entries of messages that are not in the store, or are another workspace’s, and books nothing', async () => {
    const [mine, other] = [await aMessage(), await aMessage()];
    const at = TEST_START;
    for (const id of [messageId(), other.id]) {
      const entries = [refund(mine.workspace, id, 1, at), messagePenalty(mine.workspace, id, at)];
      for (const entry of entries) expect(await handle(entry)).toEqual({ kind: 'dead', reason: NOT_IN_STORE });
    }
    expect(await balance(mine.workspace)).toBe(0);
  });

  it('parks entries of a workspace that is not in the store', async () => {
    const nobody = 987_654;
    const entries = [aGrant(nobody, 10), addressPenalty(nobody, 'hash', 'malformed', TEST_START)];
    for (const entry of entries) expect(await handle(entry)).toEqual({ kind: 'dead', reason: NOT_IN_STORE });
    expect(await balance(nobody)).toBe(0);
  });
});
