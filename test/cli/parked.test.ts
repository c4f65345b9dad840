import { describe, expect, it } from '@jest/globals';
import { refund } from '../../domain/ledger/coins';
import { messageId } from '../support/builders';
import { TEST_START } from '../support/clock';
import { TestOperator } from '../support/test-operator';
import { PATIENCE } from '../support/limits';

const operator = TestOperator.ofCase();

/** Parks so many records of the coins group, by the way a runner does. */
const park = (count: number) =>
  operator.with(async ({ log }) => {
    const reader = await log.reader('coins');
    const entries = Array.from({ length: count }, () => refund(1, messageId(), 1, TEST_START));
    await log.publish(entries.map((value) => ({ topic: 'coins.entries', key: '1', value })));
    for (let left = count; left > 0;) {
      const records = await reader.poll(left, AbortSignal.timeout(PATIENCE));
      for (const record of records) await log.park(record, 'coins', 'a bug \x1b[2J');
      await reader.commit([{ topic: 'coins.entries', partition: 0, next: records.at(-1)!.offset + 1 }]);
      left -= records.length;
    }
    await reader.close();
  });
const lag = () => operator.with(({ log }) => log.lag('coins'));
const ids = async (): Promise<number[]> =>
  ((await operator.ask('parked', 'list')).data as { id: number }[]).map(({ id }) => id);

describe('kurir dead-letters, formerly kurir parked', () => {
  it('list: what could not be handled and why, without the escape sequences of others', async () => {
    expect((await operator.run(['parked', 'list'])).out).toBe('No dead letters.\n');
    await park(2);
    const { out } = await operator.run(['parked', 'list']);
    expect(out).toContain('coins.entries  coins  1    a bug \\x1b[2J\n');
    const page = await operator.ask('parked', 'list', '--limit', '1', '--after', '1');
    expect(page).toMatchObject({ data: [{ id: 2, topic: 'coins.entries', group: 'coins', key: '1' }], next_after: 2 });
  });

  it('redrive by id: published again and off the list, once', async () => {
    await park(3);
    expect(await operator.ask('dead-letters', 'redrive', '1', '3', '1')).toEqual({ redriven: [1, 3], not_parked: [] });
    expect(await ids()).toEqual([2]);
    expect(await lag()).toBe(2);
    const said = await operator.run(['parked', 'redrive', '1', '2', '99']);
    expect(said).toMatchObject({ code: 1, out: '1 re-driven; not parked: 1, 99\n' });
  });

  it('redrive --all: every one, by several at once each only once, with a bar on a terminal', async () => {
    await park(120);
    const said = await Promise.all([
      operator.run(['parked', 'redrive', '--all'], { tty: true }),
      operator.run(['parked', 'redrive', '--all']),
      operator.run(['parked', 'redrive', '--all']),
    ]);
    expect(said.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(said[0].err).toContain('retrying');
    expect(said[1].err).toBe('');
    expect(await ids()).toEqual([]);
    expect(await lag()).toBe(120);
  });

  it('redrive --all --group: those of one group only', async () => {
    await park(2);
    expect(await operator.ask('parked', 'redrive', '--all', '--group', 'dispatch')).toEqual({
      redriven: [],
      not_parked: [],
    });
    expect(((await operator.ask('parked', 'redrive', '--all', '--group', 'coins')).redriven as number[]).length).toBe(
      2,
    );
  });

  it.each([
    [['redrive'], 'Use either ids or --all.'],
    [['redrive', '1', '--all'], 'Use either ids or --all.'],
    [['redrive', '1', '--group', 'coins'], '--group can only be used together with --all.'],
    [['redrive', '--all', '--group', 'cats'], '--group must be one of throttle, dispatch'],
    [['redrive', 'x'], '<ids> must be a whole number'],
    [['list', '--limit', '0'], '--limit must be a whole number from 1 to 1000'],
    [['list', '--after', 'x'], '--after must be a whole number'],
  ])('%j is a usage error: exit code 2', async (argv, text) => {
    expect(await operator.run(['parked', ...argv])).toMatchObject({
      code: 2,
      err: expect.stringContaining(text) as unknown,
    });
  });
});
