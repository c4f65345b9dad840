import { expect, it } from '@jest/globals';
import { fork } from 'node:child_process';
import { join } from 'node:path';

const PROGRAM = join(__dirname, '../../../dist/prove.bundle.js');
/** With 12 deaths, each of which would leave some 2 MB. */
const TASK = { seed: 101, trim: { operations: 24, without: [] }, engine: 'embedded', mutant: null };
const SEEDS = 6;
/** MB */
const ROOM = 128;

it('holds nothing of dead programs: a worker plays on within the same memory', async () => {
  const worker = fork(PROGRAM, ['--worker'], { execArgv: [`--max-old-space-size=${ROOM}`] });
  const played = new Promise<string[]>((resolve, reject) => {
    const found: string[] = [];
    worker.on('message', ({ trace }: { trace: string }) => {
      found.push(trace);
      if (found.length === SEEDS) resolve(found);
      else worker.send(TASK);
    });
    worker.on('exit', (code, signal) => reject(new Error(`It ended after ${found.length}: ${signal ?? code}.`)));
    worker.send(TASK);
  });
  const traces = await played.finally(() => worker.removeAllListeners().kill());
  expect(new Set(traces).size).toBe(1);
  expect(traces[0]).toMatch(/^[0-9a-f]{64}$/);
}, 400_000);
