import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { holdInvariants } from './property';

const USAGE = `npm run invariants -- [--seed N] [--runs N|endless]

Runs random operations, faults and report orders on the embedded engine and checks the invariants of docs/crash-proof.md.
  --seed N     of the first run; default: a new one. A failure prints its seed and the smallest schedule that fails.
  --runs N     how many schedules; default 500`;

/** Schedules between two lines of output. */
const BATCH = 50;
const MAX_SEED = 2 ** 31 - 1;

function readArguments(): { seed: number; runs: number; help: boolean } {
  const { values } = parseArgs({
    options: { seed: { type: 'string' }, runs: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  });
  const seed = values.seed === undefined ? randomInt(MAX_SEED) : Number(values.seed);
  const runs = values.runs === 'endless' ? Infinity : Number(values.runs ?? 500);
  if (!Number.isInteger(seed)) throw new Error('--seed must be a whole number.');
  if (!(runs >= 1)) throw new Error('--runs must be a whole number, or endless.');
  return { seed, runs, help: values.help ?? false };
}

async function main(): Promise<void> {
  const { seed, runs, help } = readArguments();
  if (help) return console.log(USAGE);
  for (let done = 0; done < runs;) {
    const batch = Math.min(BATCH, runs - done);
    const own = (seed + done) % MAX_SEED;
    console.log(`seed ${own}: ${batch} schedules`);
    const { messages, taken, webhooks, crashes } = await holdInvariants({ seed: own, runs: batch });
    done += batch;
    console.log(
      `${done} schedules hold; the last ${batch}: ${messages} messages, ${taken} handed off, ${webhooks} webhooks, ${crashes} crashes`,
    );
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  // The violated invariants of the smallest schedule.
  if (error instanceof Error && error.cause instanceof Error) console.error(error.cause.message);
  process.exitCode = 1;
});
