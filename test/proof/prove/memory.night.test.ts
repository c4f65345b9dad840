import { expect, it } from '@jest/globals';
import { join } from 'node:path';
import { Role } from '../../../proof/crash/stage/role';
import type { WorkerHandlers } from '../../../proof/prove/team';

const PROGRAM = join(__dirname, '../../../dist/prove.bundle.js');
/** With 12 deaths, each of which would leave some 2 MB. */
const TASK = { seed: 101, trim: { operations: 24, without: [] }, engine: 'embedded' as const, mutant: null };
const SEEDS = 6;
/** MB */
const ROOM = 128;

it('holds nothing of dead programs: a worker plays on within the same memory', async () => {
  const execArgv = [`--max-old-space-size=${ROOM}`];
  const worker = new Role<WorkerHandlers>({ program: PROGRAM, role: 'worker', execArgv, output: 'inherit' });
  try {
    const traces: string[] = [];
    while (traces.length < SEEDS) traces.push((await worker.call('play', TASK)).trace);
    expect(new Set(traces).size).toBe(1);
    expect(traces[0]).toMatch(/^[0-9a-f]{64}$/);
  } finally {
    await worker.kill();
  }
}, 400_000);
