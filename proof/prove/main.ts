import { randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { serveRole, type Handlers } from '../crash/stage/role';
import { readOptions, UsageFault, USAGE, type Options } from './options';
import { isEnough } from './enough';
import { EXIT_CODES, page } from './page';
import { NEVER_ENDS, Player, type Task } from './play';
import { Team, type WorkerHandlers } from './team';
import { Totals } from './totals';
import { proveMutants } from './mutants';
import { playLane } from './real/lane';
import { proveReal } from './real/prove-real';
import { endOnSignals } from './scratch';
import { shrink, type Smallest } from './shrink';

const PROGRAM = join(__dirname, 'prove.bundle.js');
/** Where no time is given, seconds. */
const MINUTE = 60;

/** How long a run may go on that was given no time, and in which too little has happened; ms. */
const PATIENCE = 600_000;

/** Plays seeds on every processor until the time is over, and by default until enough has happened. */
async function proveSeeds(options: Options, team: Team): Promise<Totals> {
  const { seed, seconds, seeds, trim, engine, mutant } = options;
  const totals = new Totals();
  const began = performance.now();
  const isTime = (): boolean => {
    const passed = performance.now() - began;
    return (
      passed < (seconds ?? MINUTE) * 1_000 || (seconds === null && passed < PATIENCE && !isEnough(totals, options))
    );
  };
  let next = seed;
  const hand = (): Task | null => (next < seed + seeds && isTime() ? { seed: next++, trim, engine, mutant } : null);
  await team.play(hand, (outcome) => {
    totals.add(outcome);
    for (const { rule, subject } of outcome.findings)
      process.stderr.write(`seed ${outcome.seed}: ${rule}: ${subject}\n`);
    say(`${totals.seeds} seeds, ${totals.operations} operations, ${totals.kills} kills, ${totals.found.length} faults`);
  });
  return totals;
}

/** One seed, with its history where that is wanted. */
async function replay({ seed, trim, engine, mutant, history }: Options, team: Team): Promise<Totals> {
  const totals = new Totals();
  totals.add(await team.playOne({ seed, trim, engine, mutant, history: history && resolve(history) }));
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

/** Resolves to the exit code. */
async function prove(options: Options): Promise<number> {
  if (options.mutants) {
    const areCaught = await proveMutants(options, PROGRAM, (text) => void process.stderr.write(`${text}\n`));
    return areCaught ? 0 : 1;
  }
  const began = performance.now();
  const { totals, smallest } = await proveWorlds(options);
  const seconds = (performance.now() - began) / 1_000;
  const { seed, seconds: wanted } = options;
  const real = options.real ? await proveReal(__dirname, { seed, seconds: wanted ?? MINUTE }, say) : null;
  const { text, json } = page(totals, { options, seconds, smallest, real });
  process.stdout.write(options.json ? `${JSON.stringify(json, null, 2)}\n` : text);
  if (options.report !== null) writeFileSync(options.report, `${JSON.stringify(json, null, 2)}\n`);
  return EXIT_CODES[json.verdict];
}

async function proveWorlds(options: Options): Promise<{ totals: Totals; smallest: Smallest | null }> {
  const size = options.seeds === 1 ? 1 : availableParallelism();
  const team = new Team({ program: PROGRAM, size, limit: options.limit });
  try {
    if (options.seeds === 1) return { totals: await replay(options, team), smallest: null };
    const totals = await proveSeeds(options, team);
    const [first] = totals.found;
    // Each try of one that never ends would take its whole limit.
    const isShort = first && first.rule !== NEVER_ENDS;
    return { totals, smallest: isShort ? await shrink(first, options, team) : null };
  } finally {
    team.close();
  }
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
    process.exitCode = await prove(options);
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
