import { describe, expect, it } from '@jest/globals';
import { MINUTE } from '../../lib/clock';
import { TEST_START as NOW } from '../support/clock';
import { anyTask } from '../support/due-work';
import { TestOperator } from '../support/test-operator';

const operator = TestOperator.ofCase();

/** Tasks with these names, given up by the way a runner does it. */
const giveUp = (...names: string[]): Promise<void> =>
  operator.with(async ({ stores: { dueTasks } }) => {
    for (const name of names) {
      const [kind = '', id = ''] = name.split('/', 2);
      await dueTasks.schedule([anyTask({ kind, id, workspaceId: 1, lane: '', dueAt: NOW, payload: { n: 1 } })]);
      const [claimed] = await dueTasks.claim({ kind, now: NOW, leaseUntil: NOW + MINUTE, limit: 1 });
      await dueTasks.giveUp(claimed!, 'a bug \x1b[2J', NOW);
    }
  });
const nextDue = (kind: string) => operator.with(({ stores }) => stores.dueTasks.nextDue(kind));
const list = async (...options: string[]): Promise<[string[], unknown]> => {
  const { data, next_after: after } = await operator.ask('due-work', 'list', ...options);
  return [(data as { task: string }[]).map(({ task }) => task), after];
};

describe('kurir due-work', () => {
  it('list: what was given up and why, of every kind, without the escape sequences of others', async () => {
    expect((await operator.run(['due-work', 'list'])).out).toBe('No failed jobs.\n');
    await giveUp('conversion/a', 'of-a-newer-program/7');
    const { out } = await operator.run(['due-work', 'list']);
    expect(out).toMatch(/conversion\/a +\S.* 1 +1 +a bug \\x1b\[2J\n/);
    const { data } = await operator.ask('due-work', 'list', '--kind', 'of-a-newer-program');
    expect(data).toMatchObject([
      { kind: 'of-a-newer-program', id: '7', workspace_id: 1, attempt: 1, payload: { n: 1 } },
    ]);
  });

  it('list: in pages, across kinds', async () => {
    await giveUp('b/1', 'a/1', 'b/2', 'a/2', 'c/1');
    expect(await list('--limit', '3')).toEqual([['a/1', 'a/2', 'b/1'], 'b/1']);
    expect(await list('--limit', '3', '--after', 'b/1')).toEqual([['b/2', 'c/1'], null]);
    expect(await list('--limit', '2', '--after', 'a/2')).toEqual([['b/1', 'b/2'], 'b/2']);
    expect(await list('--kind', 'b')).toEqual([['b/1', 'b/2'], null]);
  });

  it('redrive of some: due again at once and off the list, once, with a line of the trail', async () => {
    await giveUp('a/1', 'a/x', 'b/1');
    const redriven = ['a/1', 'b/1'];
    expect(await operator.ask('due-work', 'redrive', 'a/1', 'b/1', 'a/1')).toEqual({ redriven, not_given_up: [] });
    expect([await list(), await nextDue('a')]).toEqual([[['a/x'], null], operator.clock.now()]);
    const said = await operator.run(['due-work', 'redrive', 'a/1', 'a/x']);
    expect(said).toMatchObject({ code: 1, out: '1 re-driven; no failed job: a/1\n' });
    const { data } = await operator.ask('log');
    expect(data).toMatchObject([{ target: 'a/1, a/x' }, { action: 'due-work redrive', target: 'a/1, b/1' }]);
  });

  it('redrive --all: everything, or that of one kind', async () => {
    await giveUp('a/1', 'a/2', 'b/1', 'c/1');
    expect((await operator.ask('due-work', 'redrive', '--all', '--kind', 'a')).redriven).toEqual(['a/1', 'a/2']);
    const said = await operator.run(['due-work', 'redrive', '--all'], { tty: true });
    expect(said).toMatchObject({ code: 0, out: '2 re-driven\n' });
    expect(said.err).toContain('retrying');
    expect(await list()).toEqual([[], null]);
  });

  it.each([
    [['redrive'], 'Use either tasks or --all.'],
    [['redrive', 'a/1', '--all'], 'Use either tasks or --all.'],
    [['redrive', 'a/1', '--kind', 'a'], '--kind can only be used together with --all.'],
    [['redrive', 'a'], '<tasks> must be a kind and an id'],
    [['list', '--kind', 'a/1'], '--kind must be a kind of due work'],
    [['list', '--after', 'a'], '--after must be a kind and an id'],
  ])('%j is a usage error: exit code 2', async (argv, text) => {
    const expected = { code: 2, err: expect.stringContaining(text) as unknown };
    expect(await operator.run(['due-work', ...argv])).toMatchObject(expected);
  });
});
