import { describe, expect, it, jest } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { limitFor, PATIENCE } from '../support/limits';

const ROOT = join(__dirname, '../..');
const SCRIPT = `
import { Linter } from 'eslint';
import { testLimits } from './packaging/test-limits.mjs';
const plugins = { kurir: { rules: { 'test-limits': testLimits } } };
const config = { plugins, rules: { 'kurir/test-limits': 'error' } };
const found = (code) => new Linter().verify(code, config).map(({ message }) => message.split(' ')[0]);
console.log(JSON.stringify(JSON.parse(process.argv[1]).map(found)));
`;

/** The times that are refused in each of the texts, ms. */
function refused(...texts: readonly string[]): number[][] {
  const argv = ['--input-type=module', '-e', SCRIPT, JSON.stringify(texts)];
  const { stdout } = spawnSync(process.execPath, argv, { cwd: ROOT, encoding: 'utf8' });
  return (JSON.parse(stdout) as string[][]).map((found) => found.map(Number));
}

describe('a limit in a test', () => {
  it('is above PATIENCE where it is Jest', () => {
    const tooShort = [
      'jest.setTimeout(60_000);',
      "it('a', async () => {}, 60_000);",
      "test.only('a', async () => {}, 180_000);",
      "it.each([1])('%d', async () => {}, 60_000);",
      'beforeAll(async () => {}, 60_000);',
      'const LIMIT = 2 * 30_000; afterEach(() => {}, LIMIT);',
      "import { SECOND } from '../lib/clock'; it('a', () => {}, 60 * SECOND);",
    ];
    expect(refused(...tooShort).map((found) => found.length)).toEqual(tooShort.map(() => 1));
    const others = ["it('a', () => {}, limitFor(2));", "it('a', () => {}, 600_000);", "it('a', () => {});"];
    expect(refused(...others)).toEqual(others.map(() => []));
  });

  it('is at least PATIENCE where something is waited for', () => {
    const tooShort = [
      'for (const end = Date.now() + 30_000; !done();) look();',
      'const deadline = performance.now() + 60_000;',
      "await server.until('the rest', holds, 120_000);",
      'await untilDelivered(ids, 20_000);',
      'await activity.quiet(AbortSignal.timeout(5_000));',
      'async function until(holds, patience = 60_000) {}',
      'const PATIENCE = 60_000;',
      'page.setDefaultTimeout(30_000);',
      "await page.waitForSelector('dl', { timeout: 60_000 });",
    ];
    expect(refused(...tooShort).map((found) => found.length)).toEqual(tooShort.map(() => 1));
    const others = [
      'const end = giveUpAt();',
      // A count, and a time in which nothing may come.
      'await untilArrived(20);',
      'const end = performance.now() + 60;',
      // What is under test takes a time of its own.
      'await budget.acquire({ timeout: 5_000 });',
    ];
    expect(refused(...others)).toEqual(others.map(() => []));
  });

  it('is that of Jest by default where there is one wait', () => {
    expect(jest.requireActual<{ testTimeout: number }>('../../jest.config').testTimeout).toBe(limitFor(1));
    expect(limitFor(1)).toBeGreaterThan(PATIENCE);
  });
});
