import { HOUR, SECOND } from '../../lib/clock';
import { runCrash } from '../crash/run';

/** What the real half does, so that it takes about a minute. */
const LOAD = { messages: 600, workspaces: 12, pace: 30, every: 1 };
const STEPS = { every: 150, small: 30 * SECOND, smallOnes: 20, large: 6 * HOUR };

/** The real half: the built program on real files and sockets, killed again and again (docs/crash-proof.md). */
export interface RealHalf {
  messages: number;
  /** Mails at the sending server. */
  taken: number;
  kills: number;
  seconds: number;
  /** What was found, one line each. */
  found: string[];
}

/** Plays the real half. `program`: dist/crash.js. */
export async function proveReal(program: string, seed: number, progress: (text: string) => void): Promise<RealHalf> {
  const result = await runCrash({ ...LOAD, program, seed, progress, steps: STEPS });
  const { messages, taken, kills, took } = result;
  const found = [
    ...result.lost.map((line) => `lost: ${line}`),
    ...result.doubled.map((line) => `doubled: ${line}`),
    ...result.coinsWrong.map((line) => `coins: ${line}`),
    ...result.differences.map((line) => `audit: ${line}`),
  ];
  return { messages, taken, kills, seconds: Math.round(took / 1_000), found };
}
