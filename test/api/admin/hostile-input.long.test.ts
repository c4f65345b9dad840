import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { allOperations } from '../../../operations/catalogue';
import type { Operation } from '../../../operations/definition';
import { frozenClock } from '../../support/clock';
import { fillForEveryOperation, inputOf, LINES } from '../../support/every-operation';
import { Keyed } from './keyed';
import { limitFor } from '../../support/limits';

/** What nobody means, by kind. */
const HOSTILE: readonly unknown[] = [
  ...[
    '',
    ' ',
    '\0',
    '\u202e\u2028',
    '😀'.repeat(400),
    'x'.repeat(100_000),
    '-1',
    '0',
    '1e309',
    'NaN',
    '999999999999999999999',
  ],
  ...[
    '../../etc/passwd',
    "' OR 1=1 --",
    '{"$gt":""}',
    '<%= 1 %>',
    '%00',
    'constructor',
    '__proto__',
    '9999-99-99',
    '-5d',
  ],
  ...[0, -1, 1.5, 2 ** 53, true, false, null, [], [[]], [null], {}, { $ne: 1 }, { toString: 1 }, [{ a: 1 }]],
];

/** Those whose work is no answer to a request: they look at the machine, or last. */
const APART = new Set(['doctor', 'audit.start']);

let keyed: Keyed;
let key: string;
let words: Readonly<Record<string, string>>;
beforeAll(async () => {
  keyed = await Keyed.start({}, frozenClock());
  words = await fillForEveryOperation(keyed.running);
  key = await keyed.key({ name: 'all', role: 'operator', workspaceId: null });
});
afterAll(() => keyed.running.stop());

/** An input that is right, as far as the line of the command line says one. */
function rightInput(operation: Operation): Record<string, unknown> {
  const path = operation.name.replace('.', ' ');
  const line = LINES[path]?.slice(path.length).trim() ?? '';
  try {
    return {
      ...inputOf(
        operation,
        line
          .split(' ')
          .filter(Boolean)
          .map((word) => words[word] ?? word),
      ),
    };
  } catch {
    return {};
  }
}

/** Fields of an input, in the names of the management API, and one that is none. */
const fieldsOf = (operation: Operation): string[] =>
  [...Object.keys(operation.arguments), ...Object.keys(operation.options)]
    .map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
    .concat('no_such_field');

/** How often each status came: an interface that refuses everything would prove nothing. */
const statuses = new Map<number, number>();

async function post(name: string, input: unknown): Promise<string[]> {
  const { status, body } = await keyed.request('POST', `/${name}`, key, JSON.stringify(input));
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
  const said = body as { message?: unknown; code?: unknown };
  if (status === 200) return [];
  const isClear = typeof said.message === 'string' && said.message !== '' && typeof said.code === 'string';
  const isExpected = [400, 404, 413, 422].includes(status);
  return isExpected && isClear
    ? []
    : [`${name} ${JSON.stringify(input).slice(0, 200)}: ${status} ${JSON.stringify(said).slice(0, 300)}`];
}

// spec: docs/contract.md#dashboard-operations: bad input gets an error that says what is wrong
describe('every operation at /admin/v1', () => {
  it(
    'answers what nobody means with a clear error, and never with a 500',
    async () => {
      const faults: string[] = [];
      let at = 0;
      for (const operation of await allOperations()) {
        if (APART.has(operation.name)) continue;
        for (const field of fieldsOf(operation)) {
          for (let n = 0; n < 6; n++) {
            const value = HOSTILE[at++ % HOSTILE.length];
            faults.push(...(await post(operation.name, { ...rightInput(operation), [field]: value })));
          }
        }
        for (const whole of [null, [], 'text', 7, { ['__proto__']: 1 }])
          faults.push(...(await post(operation.name, whole)));
      }
      expect(faults).toEqual([]);
      expect(at).toBeGreaterThan(1_500);
      expect(statuses.get(422)).toBeGreaterThan(1_000);
      expect(statuses.get(200)).toBeGreaterThan(100);
    },
    limitFor(2),
  );
});
