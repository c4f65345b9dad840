import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Command } from 'commander';
import { Readable } from 'node:stream';
import { PROOF } from '../../cli/commands';
import { buildProgram } from '../../cli/run';
import { readOptions, USAGE } from '../../proof/prove/options';
import { page } from '../../proof/prove/page';
import { Totals } from '../../proof/prove/totals';
import { readDocument, sectionOf } from '../docs/markdown';
import { frozenClock } from '../support/clock';
import { fillForEveryOperation, LINES, PACED, type Words } from '../support/every-operation';
import { Running } from '../support/running';
import { TestOperator } from '../support/test-operator';

const host = {
  stdout: process.stdout,
  stderr: process.stderr,
  stdin: Readable.from([]),
  config: () => never(),
  tools: () => never(),
};
const never = (): never => {
  throw new Error('no command runs here');
};

/** Every command that does something, as it is written. */
function leaves(command: Command, path: string[] = []): { path: string; command: Command }[] {
  if (command.commands.length === 0) return [{ path: path.join(' '), command }];
  return command.commands.flatMap((sub) => leaves(sub, [...path, sub.name()]));
}

let operator: TestOperator;
let running: Running;
let words: Words;
beforeAll(async () => {
  const clock = frozenClock();
  running = await Running.start(PACED, clock);
  operator = await TestOperator.open({
    dataDir: running.dataDir,
    clock,
    env: { ...PACED, KURIR_PUBLIC_URL: running.demo.base_url },
  });
  words = await fillForEveryOperation(running);
});
afterAll(() => running.stop());

/** What the values are, keys in order, lists by their first element; null may stand for anything. */
type Shape = string | Shape[] | { [key: string]: Shape };
function shapeOf(value: unknown): Shape {
  if (value === null) return 'any';
  if (Array.isArray(value)) return value.length === 0 ? 'any' : [shapeOf(value[0])];
  if (typeof value !== 'object') return typeof value;
  const entries = Object.entries(value).map(([key, held]) => [key, shapeOf(held)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
/** The paths where two shapes are not the same. */
function differences(a: Shape, b: Shape, path = ''): string[] {
  if (a === 'any' || b === 'any') return [];
  if (typeof a === 'string' || typeof b === 'string')
    return a === b ? [] : [`${path}: ${JSON.stringify(a)}, ${JSON.stringify(b)}`];
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].flatMap((key) => {
    const [one, other] = [a, b].map((shape) => (shape as Record<string, Shape>)[key]);
    return one === undefined || other === undefined
      ? [`${path}.${key} is in one only`]
      : differences(one, other, `${path}.${key}`);
  });
}

describe('docs/cli.md and the commands', () => {
  // spec: docs/contract.md#dashboard-operations: the commands of the command line
  it('name the same commands', async () => {
    const paths = leaves(await buildProgram(host, () => undefined)).map(({ path }) => path);
    const document = readDocument('docs/cli.md');
    const headings = [...document.matchAll(/^### kurir (.+)$/gm)].map(([, path]) => path);
    // The proof is another program.
    expect(headings.filter((path) => path !== PROOF.name)).toEqual(paths);
    expect(Object.keys(LINES)).toEqual(paths);
  });

  it.each(Object.entries(LINES))('kurir %s answers in the documented shape', async (path, line) => {
    const argv = line.split(' ').map((word) => words[word] ?? word);
    const said = await operator.run([...argv, '--json']);
    expect(said.err).toBe('');
    const documented = /```json\n([\s\S]+?)```/.exec(sectionOf(readDocument('docs/cli.md'), `kurir ${path}`))?.[1];
    expect(differences(shapeOf(JSON.parse(documented ?? 'null')), shapeOf(said.json))).toEqual([]);
  });

  it('name the proof, which is a program of its own, with the same usage', async () => {
    const { out } = await operator.run(['--help']);
    expect(out).toContain(`kurir ${PROOF.name}: ${PROOF.summary}`);
    const section = sectionOf(readDocument('docs/cli.md'), `kurir ${PROOF.name}`);
    expect(/```\n(.+)\n```/.exec(section)?.[1]).toBe(USAGE.split('\n')[0]);
  });

  it('document what the proof answers', () => {
    const options = { ...readOptions([], 7)!, seeds: 140 };
    const { json } = page(new Totals(), { options, seconds: 60, smallest: null, real: null });
    const section = sectionOf(readDocument('docs/cli.md'), `kurir ${PROOF.name}`);
    const documented = JSON.parse(/```json\n([\s\S]+?)```/.exec(section)?.[1] ?? 'null') as object;
    expect(Object.keys(documented)).toEqual(Object.keys(json));
  });

  it('tell what a difference is', () => {
    expect(differences(shapeOf({ a: 1, b: [{ c: null }] }), shapeOf({ a: 2, b: [{ c: 'x' }] }))).toEqual([]);
    expect(differences(shapeOf({ a: 1 }), shapeOf({ a: '1', b: 1 }))).toHaveLength(2);
    expect(differences(shapeOf([{ a: 1 }]), shapeOf([{}]))).toHaveLength(1);
  });
});

describe('the help', () => {
  it.each(Object.keys(LINES))('of kurir %s has a summary, --json and examples that can be run', async (path) => {
    const { code, out, err } = await operator.run([...path.split(' '), '--help']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('--json');
    const examples = /\nExamples:\n([\s\S]+)$/.exec(out)?.[1]?.trim().split('\n') ?? [];
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) expect(example.trim()).toMatch(new RegExp(`^kurir ${path}\\b`));
  });

  it('of kurir itself and of a group: exit code 0; without a command: exit code 2', async () => {
    for (const argv of [['--help'], ['workspace', '--help'], ['help', 'domain'], ['--version']]) {
      expect(await operator.run(argv)).toMatchObject({ code: 0, err: '' });
    }
    for (const argv of [[], ['domain'], ['dance']])
      expect(await operator.run(argv)).toMatchObject({ code: 2, out: '' });
  });
});
