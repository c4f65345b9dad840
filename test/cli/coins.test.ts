import { describe, expect, it } from '@jest/globals';
import { DAY } from '../../lib/clock';
import { TEST_START } from '../support/clock';
import { TestOperator } from '../support/test-operator';

const operator = TestOperator.ofFile();
let serial = 0;
const newWorkspace = async (): Promise<string> => {
  const name = `Toko ${(serial += 1)}`;
  await operator.ask('workspace', 'create', name);
  return name;
};
const time = (at: number): string => new Date(at).toISOString().replace('Z', '000Z');

describe('kurir coins', () => {
  it('top-up: purchased coins make the account premium, without an end', async () => {
    const name = await newWorkspace();
    expect(await operator.ask('coins', 'top-up', name, '500')).toMatchObject({
      booked: true,
      coins: 500,
      balance: 500,
    });
    expect(await operator.ask('coins', 'balance', name)).toMatchObject({
      balance: 500,
      premium: true,
      purchase: { expires_at: null },
    });
  });

  it('top-up --expires: premium until then, and free again afterwards', async () => {
    const own = await TestOperator.open();
    await own.ask('workspace', 'create', 'A');
    await own.ask('coins', 'top-up', 'A', '500', '--expires', '30d');
    expect(await own.ask('coins', 'balance', 'A')).toMatchObject({
      premium: true,
      purchase: { expires_at: time(TEST_START + 30 * DAY) },
    });
    own.clock.advance(30 * DAY);
    expect(await own.ask('coins', 'balance', 'A')).toMatchObject({ premium: false, balance: 500 });
    own.remove();
  });

  it('top-up --expires with a day: to the end of that WIB day', async () => {
    const name = await newWorkspace();
    const { purchase } = await operator.ask('coins', 'top-up', name, '5', '--expires', '2026-01-31');
    expect(purchase).toEqual({ expires_at: '2026-01-31T17:00:00.000000Z' });
  });

  it('grant: a gift, the account stays free', async () => {
    const name = await newWorkspace();
    expect(await operator.ask('coins', 'grant', name, '300')).toMatchObject({
      balance: 300,
      premium: false,
      purchase: null,
    });
  });

  it('a reference is booked once, however often and by how many', async () => {
    const name = await newWorkspace();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => operator.ask('coins', 'top-up', name, '100', '--reference', `INV-${name}`)),
    );
    expect(answers.filter(({ booked }) => booked === true)).toHaveLength(1);
    const { code, out } = await operator.run(['coins', 'top-up', name, '100', '--reference', `INV-${name}`]);
    expect(code).toBe(0);
    expect(out).toContain(`reference INV-${name} was already booked; nothing changed`);
    expect((await operator.ask('coins', 'balance', name)).balance).toBe(100);
  });

  it('ledger: newest first, page by page', async () => {
    const name = await newWorkspace();
    for (const n of ['1', '2', '3']) await operator.ask('coins', 'grant', name, n, '--reference', `${name}-${n}`);
    type Page = { data: { id: string; coins: number; row: number }[]; next_before: number };
    const first = (await operator.ask('coins', 'ledger', name, '--limit', '2')) as Page;
    expect(first.data.map(({ id, coins }) => [id, coins])).toEqual([
      [`grant:${name}-3`, 3],
      [`grant:${name}-2`, 2],
    ]);
    const rest = (await operator.ask('coins', 'ledger', name, '--before', String(first.next_before))) as Page;
    expect(rest).toMatchObject({ data: [{ coins: 1 }], next_before: null });
  });

  it.each([
    ['top-up', '1', '0'],
    ['top-up', '1', '-5'],
    ['top-up', '1', '1.5'],
    ['top-up', '1', '1e3'],
    ['top-up', '1', '1000000001'],
    ['grant', '1', ''],
    ['grant', '1', '٣'],
  ])('%s %s "%s": no such number of coins, exit code 2', async (verb, workspace, coins) => {
    const said = await operator.run(['coins', verb, workspace, '--', coins]);
    expect(said).toMatchObject({
      code: 2,
      err: expect.stringContaining('<coins> must be a whole number from 1') as unknown,
    });
  });

  it.each(['tomorrow', '2026-13-01', '2026-02-30', '5', '2026-01-31T00:00'])(
    '--expires "%s" is no time, exit code 2',
    async (when) => {
      const said = await operator.run(['coins', 'top-up', '1', '5', '--expires', when]);
      expect(said).toMatchObject({
        code: 2,
        err: expect.stringContaining('--expires must be a duration such as 90d') as unknown,
      });
    },
  );

  it.each(['2025-12-31', '0s'])('--expires "%s" is not in the future, exit code 2, nothing booked', async (when) => {
    const name = await newWorkspace();
    const said = await operator.run(['coins', 'top-up', name, '5', '--expires', when]);
    expect(said).toMatchObject({
      code: 2,
      err: expect.stringContaining('--expires must be in the future.') as unknown,
    });
    expect((await operator.ask('coins', 'balance', name)).balance).toBe(0);
  });

  it.each(['top-up', 'grant', 'balance', 'ledger'])(
    '%s for a workspace that is not there, exit code 1',
    async (verb) => {
      const more = verb === 'top-up' || verb === 'grant' ? ['5'] : [];
      const said = await operator.run(['coins', verb, 'Anggrek', ...more]);
      expect(said).toMatchObject({
        code: 1,
        err: expect.stringContaining('no workspace "Anggrek"') as unknown,
      });
    },
  );
});

describe('kurir warmup', () => {
  it('cap, show, off', async () => {
    expect(await operator.ask('warmup', 'cap', '500')).toEqual({
      cap: 500,
      day: '2026-01-05',
      used: 0,
      left: 500,
      resets_at: '2026-01-05T17:00:00.000000Z',
    });
    expect((await operator.run(['warmup', 'show'])).out).toContain('500 per day (WIB)');
    expect((await operator.ask('warmup', 'off')).cap).toBeNull();
    expect((await operator.ask('warmup', 'cap', '0')).left).toBe(0);
    expect((await operator.ask('warmup', 'cap', 'off')).left).toBeNull();
  });

  it.each(['-1', 'x', '1.5', ''])('cap "%s" is refused with exit code 2', async (cap) => {
    const said = await operator.run(['warmup', 'cap', '--', cap]);
    expect(said).toMatchObject({
      code: 2,
      err: expect.stringContaining('<n> must be a whole number from 0') as unknown,
    });
  });
});

describe('kurir switch', () => {
  it('two switches changed at once keep both changes', async () => {
    await Promise.all([operator.ask('switch', 'api', 'off'), operator.ask('switch', 'module', 'off')]);
    expect(await operator.with(({ stores }) => stores.settings.get('switches'))).toEqual({ api: false, module: false });
    await operator.ask('switch', 'api', 'on');
    expect(await operator.ask('switch', 'api')).toEqual({ switch: 'api', on: true });
    expect((await operator.run(['switch', 'module'])).out).toBe('module is off\n');
  });

  it.each([
    [['mail', 'on'], '<what> must be one of api, module'],
    [['api', 'maybe'], '<state> must be one of on, off'],
    [[], "missing required argument 'what'"],
  ])('%j is refused with exit code 2', async (argv, text) => {
    expect(await operator.run(['switch', ...argv])).toMatchObject({
      code: 2,
      err: expect.stringContaining(text) as unknown,
    });
  });
});
