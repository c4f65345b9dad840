import { describe, expect, it } from '@jest/globals';
import { COMMANDS } from '../../../cli/commands';
import { allOperations } from '../../../operations/catalogue';
import { NOT_COMMANDS, NOT_OPERATIONS } from '../../../cli/not-operations';
import { operation, argument, flag, limit, needed, repeatable, whole, oneOf } from '../../../operations/definition';

const sample = operation('sample.do', 'viewer', {
  summary: 'a sample',
  arguments: { n: argument('a number', whole(1, 9)) },
  options: {
    limit: limit('things'),
    mode: needed('<mode>', 'how', oneOf('a', 'b')),
    some: repeatable('<x>', 'several', whole(1, 9)),
    dryRun: flag('without doing it'),
  },
  examples: [['sample do 1 --mode a', 'does it']],
  handler: async (input) => input,
});

const run = async (given: Record<string, unknown>): Promise<object> =>
  // The handler touches nothing of its session.
  (await sample.read(given)({ view: undefined, stores: undefined } as never)).json;

describe('an operation', () => {
  it('reads its arguments and options into typed values, with defaults', async () => {
    expect(await run({ n: '3', mode: 'b', some: ['1', '2'], dryRun: true })).toEqual({
      n: 3,
      limit: 50,
      mode: 'b',
      some: [1, 2],
      dryRun: true,
    });
  });

  it.each([
    [{ mode: 'a' }, '<n> is missing.', '<n>'],
    [{ n: '3' }, '--mode is missing.', '--mode'],
    [{ n: '0', mode: 'a' }, '<n> must be a whole number from 1 to 9 (is "0").', '<n>'],
    [{ n: '3', mode: 'c' }, '--mode must be one of a, b (is "c").', '--mode'],
    [{ n: '3', mode: 'a', limit: '0' }, '--limit must be a whole number from 1 to 1000 (is "0").', '--limit'],
  ])('of %j says what is wrong: %s', (given, message, label) => {
    expect(() => sample.read(given)).toThrow(expect.objectContaining({ message, argument: label, code: 2 }));
  });
});

describe('every command', () => {
  it('is an operation with a role, or named with the reason why it is none', async () => {
    const all = (await Promise.all(COMMANDS.map(({ load }) => load()))).flat();
    expect(all.length).toBeGreaterThan(100);
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
    const others = all.filter((command) => !('role' in command)).map(({ name }) => name);
    expect(others.sort()).toEqual(Object.keys(NOT_OPERATIONS).sort());
  });

  it('stands for each operation, or the operation is named with the reason why it is none', async () => {
    const commands = new Set((await Promise.all(COMMANDS.map(({ load }) => load()))).flat().map(({ name }) => name));
    const others = (await allOperations()).map(({ name }) => name).filter((name) => !commands.has(name));
    expect(others).toEqual(Object.keys(NOT_COMMANDS));
  });
});
