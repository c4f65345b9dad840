import { describe, expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prove } from './run-prove';

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
    '6',
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
    expect(first.split('\n').length).toBeGreaterThan(30);
  });

  it('does so on the stores of the cluster too, over the model of a replica set', async () => {
    const [first, again] = await Promise.all([
      historyOf(4, '--engine', 'cluster'),
      historyOf(4, '--engine', 'cluster'),
    ]);
    expect(again).toBe(first);
    expect(first.split('\n').length).toBeGreaterThan(30);
  });
});

const NEARLY_ALL = 'kill,power,error,refusal,reset,refuse,hooks,relay,campaigns,journeys,forms,sales';

describe('a run in which hardly anything happened', () => {
  it.each([
    ['one seed', ['--seeds', '1', '--operations', '1']],
    ['one second without nearly everything', ['--seconds', '1', '--operations', '1', '--without', NEARLY_ALL]],
  ])('proves nothing: %s', async (_of, args) => {
    const { code, stdout } = await prove('--seed', '1', ...args, '--json');
    expect(JSON.parse(stdout)).toMatchObject({ verdict: 'nothing_proven', bound: null, found: [], broken: [] });
    expect(code).toBe(3);
  });
});

describe('its arguments', () => {
  it.each([
    [['--seed', 'x'], '--seed must be a whole number'],
    [['--limit', '0'], '--limit must be a whole number, at least 1.'],
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
