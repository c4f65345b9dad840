import { randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { serveRole, type Handlers } from '../crash/stage/role';
import { readOptions, UsageFault, USAGE, type Options } from './options';
import { page } from './page';
import { Player, type Task } from './play';
import { Team, type WorkerHandlers } from './team';
import { Totals } from './totals';
import { proveMutants } from './mutants';
import { playLane } from './real/lane';
import { proveReal } from './real/prove-real';
import { endOnSignals } from './scratch';
import { shrink } from './shrink';

const PROGRAM = join(__dirname, 'prove.bundle.js');

/** Plays seeds on every processor until the time is over. */
async function proveSeeds({ seed, seconds, seeds, trim, engine }: Options): Promise<Totals> {
  const totals = new Totals();
  const team = new Team(PROGRAM, availableParallelism());
  const end = performance.now() + seconds * 1_000;
  let next = seed;
  const hand = (): Task | null =>
    performance.now() < end && next < seed + seeds ? { seed: next++, trim, engine, mutant: null } : null;
  try {
    await team.play(hand, (outcome) => {
      totals.add(outcome);
      for (const { rule, subject } of outcome.findings)
        process.stderr.write(`seed ${outcome.seed}: ${rule}: ${subject}\n`);
      say(
        `${totals.seeds} seeds, ${totals.operations} operations, ${totals.kills} kills, ${totals.found.length} faults`,
      );
    });
  } finally {
    team.close();
  }
  return totals;
}

/** One seed, with its history where that is wanted. */
async function replay({ seed, trim, engine, mutant, history }: Options & { seed: number }): Promise<Totals> {
  const player = new Player();
  const totals = new Totals();
  const lines: string[] = [];
  totals.add(await player.play({ seed, trim, engine, mutant }, (line) => lines.push(JSON.stringify(line))));
  if (history !== null) writeFileSync(history, `${lines.join('\n')}\n`);
  return totals;
}

let saidAt = 0;
/** Progress, at most once a second. */
function say(text: string): void {
  const now = performance.now();
  if (now < saidAt + 1_000) return;
  saidAt = now;
  process.stderr.write(process.stderr.isTTY ? `\r${text}  ` : `${text}\n`);
}

async function prove(options: Options): Promise<boolean> {
  if (options.mutants) return proveMutants(options, PROGRAM, (text) => void process.stderr.write(`${text}\n`));
  const began = performance.now();
  const totals = await (options.seeds === 1 ? replay(options) : proveSeeds(options));
  const smallest = totals.found[0] && options.seeds !== 1 ? await shrink(totals.found[0], options) : null;
  const seconds = (performance.now() - began) / 1_000;
  const real = options.real ? await proveReal(__dirname, options, say) : null;
  const { text, json, isGood } = page(totals, { options, seconds, smallest, real });
  process.stdout.write(options.json ? `${JSON.stringify(json, null, 2)}\n` : text);
  if (options.report !== null) writeFileSync(options.report, `${JSON.stringify(json, null, 2)}\n`);
  return isGood;
}

/** Plays the seeds that the parent process asks for. */
function worker(): WorkerHandlers {
  const player = new Player();
  return { play: (task) => player.play(task) };
}

/** What a child process of the proof does. */
const ROLES: Readonly<Record<string, () => Handlers>> = { worker, lane: () => ({ play: playLane }) };

async function main(): Promise<void> {
  endOnSignals();
  const [flag, role = ''] = process.argv.slice(2);
  const handlers = flag === '--role' ? ROLES[role] : undefined;
  if (handlers) return serveRole(handlers());
  try {
    const options = readOptions(process.argv.slice(2), randomInt(1, 2 ** 31));
    if (options === null) return void process.stdout.write(`${USAGE}\n`);
    process.exitCode = (await prove(options)) ? 0 : 1;
  } catch (error) {
    if (!(error instanceof UsageFault)) throw error;
    process.stderr.write(`${error.message}\n\n${USAGE}\n`);
    process.exitCode = 2;
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
});
