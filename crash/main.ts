import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { serveRole } from './role';
import { runCrash, type RunResult } from './run';
import { runService, type ServiceOptions } from './service';
import { runSink } from './sink-role';
import type { SinkOptions } from './sink/sink';

const USAGE = `npm run crash [-- --seed N --messages N --workspaces N --every SECONDS]

Kills the service again and again while it sends, and then counts: lost, doubled, coins wrong. Exit code 1 unless all are 0.
  --seed N          of what is random: the order of the messages and the moments of the kills (default: a new one)
  --messages N      default 2000
  --workspaces N    default 20
  --every SECONDS   from one kill to the next, on average (default 3)`;

interface Choice {
  /** Set in the processes it starts. */
  role: string | undefined;
  options: string;
  help: boolean;
  numbers: { seed: number; messages: number; workspaces: number; every: number };
}

function readArguments(): Choice {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      role: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
      seed: { type: 'string' },
      messages: { type: 'string' },
      workspaces: { type: 'string' },
      every: { type: 'string' },
    },
  });
  const whole = (name: 'seed' | 'messages' | 'workspaces' | 'every', otherwise: number): number => {
    const text = values[name];
    if (text === undefined) return otherwise;
    if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`--${name} must be a whole number of 1 or more.`);
    return Number(text);
  };
  return {
    role: values.role,
    options: positionals[0] ?? '{}',
    help: values.help ?? false,
    numbers: {
      seed: whole('seed', randomInt(1, 1_000_000)),
      messages: whole('messages', 2_000),
      workspaces: whole('workspaces', 20),
      every: whole('every', 3),
    },
  };
}

/** Offers that take half a minute leave room for ten kills among them. */
const paceOf = (messages: number): number => Math.max(20, messages / 30);

function report(seed: number, result: RunResult): void {
  const { lost, doubled, coinsWrong, differences } = result;
  const rows: [string, number | string][] = [
    ['seed', seed],
    ['messages', result.messages],
    ['kills', result.kills],
    ['mails at the sink', result.taken],
    ['never sent, and failed so', result.neverSent],
    ['lost', lost.length],
    ['doubled', doubled.length],
    ['coins wrong', coinsWrong.length],
    ['audit differences', differences.length],
    ['seconds', Math.round(result.took / 1_000)],
  ];
  for (const line of [...lost, ...doubled, ...coinsWrong, ...differences]) console.log(line);
  console.log(['', ...rows.map(([name, value]) => `${name.padEnd(26)} ${String(value).padStart(8)}`)].join('\n'));
}

async function prove({ seed, ...numbers }: Choice['numbers']): Promise<void> {
  // So that what was started ends with us.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  console.log(`seed ${seed}`);
  const result = await runCrash({
    ...numbers,
    seed,
    pace: paceOf(numbers.messages),
    program: join(__dirname, 'crash.js'),
    progress: (text) => console.error(text),
  });
  report(seed, result);
  const wrong = [result.lost, result.doubled, result.coinsWrong, result.differences];
  process.exitCode = wrong.every((list) => list.length === 0) ? 0 : 1;
}

async function main(): Promise<void> {
  let choice: Choice;
  try {
    choice = readArguments();
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`);
    process.exitCode = 2;
    return;
  }
  const { role, options, help, numbers } = choice;
  if (role === 'service') serveRole(await runService(JSON.parse(options) as ServiceOptions));
  else if (role === 'sink') serveRole(await runSink(JSON.parse(options) as SinkOptions));
  else if (help) console.log(USAGE);
  else await prove(numbers);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
