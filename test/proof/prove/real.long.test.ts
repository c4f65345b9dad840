import { expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const PROGRAM = join(__dirname, '../../../dist/prove.js');
const ARGS = ['--seeds', '1', '--operations', '12', '--seconds', '6', '--real', '--json'];

interface Real {
  isGood: boolean;
  kills: number;
  covered: Record<string, number>;
  found: unknown[];
  broken: unknown[];
}

it('kills the built program on real files and sockets, and the judge finds nothing in the history', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, ...ARGS], { maxBuffer: 1e8 }).catch(
    (error: { stdout: string; stderr: string }) => error,
  );
  const { real, seed } = JSON.parse(stdout) as { real: Real; seed: number };
  expect({ seed, found: real.found, broken: real.broken }).toEqual({ seed, found: [], broken: [] });
  expect(real.kills).toBeGreaterThan(1);
  expect(real.covered).toMatchObject({ audits: expect.any(Number) });
  expect(real.covered['takes']).toBeGreaterThan(0);
}, 400_000);
