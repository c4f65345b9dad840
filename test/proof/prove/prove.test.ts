import { describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PROGRAM = join(__dirname, '../../../dist/prove.js');

interface Run {
  code: number;
  stdout: string;
  stderr: string;
}

const prove = (...args: string[]): Promise<Run> =>
  new Promise((resolve) => {
    execFile(process.execPath, [PROGRAM, ...args], { timeout: 120_000 }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
    );
  });

/** The history of one seed, as it was written. */
async function historyOf(seed: number, ...more: string[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'kurir-prove-'));
  const file = join(folder, 'history.jsonl');
  const { stderr } = await prove(
    '--seed',
    String(seed),
    '--seeds',
    '1',
    '--operations',
    '12',
    '--history',
    file,
    ...more,
  );
  expect(stderr).toBe('');
  const text = readFileSync(file, 'utf8');
  rmSync(folder, { recursive: true });
  return text;
}

describe('the simulated world', () => {
  it('plays the same history for the same seed in another process, and another one for another seed', async () => {
    const [first, again, other] = await Promise.all([historyOf(4), historyOf(4), historyOf(5)]);
    expect(again).toBe(first);
    expect(other).not.toBe(first);
    expect(first.split('\n').length).toBeGreaterThan(50);
  });

  it('does so on the stores of the cluster too, over the model of a replica set', async () => {
    const [first, again] = await Promise.all([
      historyOf(4, '--engine', 'cluster'),
      historyOf(4, '--engine', 'cluster'),
    ]);
    expect(again).toBe(first);
    expect(first.split('\n').length).toBeGreaterThan(50);
  });

  it('kills and power losses are part of it, and nothing is lost, doubled or mischarged', async () => {
    const { code, stdout } = await prove('--seed', '1', '--seeds', '8', '--operations', '15', '--json');
    const result = JSON.parse(stdout) as Record<string, never> & { found: unknown[]; broken: unknown[] };
    expect(result.found).toEqual([]);
    expect(result.broken).toEqual([]);
    expect(result['kills']).toBeGreaterThan(3);
    expect(result['simulated_days']).toBeGreaterThan(10);
    expect(code).toBe(0);
  });

  it('finds what a broken safety device lets through, and tells how to play it again', async () => {
    const { code, stdout } = await prove(
      '--mutants',
      '--mutant',
      'unknown-hand-off',
      '--seed',
      '1',
      '--seeds',
      '8',
      '--json',
    );
    const { mutants } = JSON.parse(stdout) as { mutants: { caught: { rule: string } | null }[] };
    expect(mutants[0]?.caught?.rule).toBe('doubled');
    expect(code).toBe(0);
  });
});

describe('its arguments', () => {
  it.each([
    [['--seed', 'x'], '--seed must be a whole number'],
    [['--seconds', '0'], '--seconds must be a whole number, at least 1.'],
    [['--without', 'rain'], '--without: "rain" is none of kill, power'],
    [['--mutant', 'nobody'], '--mutant: there is no "nobody"'],
    [['--history', 'file'], '--history goes with --seeds 1.'],
    [['--nonsense'], 'Unknown option'],
  ])('%s', async (args, text) => {
    const { code, stderr } = await prove(...args);
    expect(stderr).toContain(text);
    expect(code).toBe(2);
  });
});
