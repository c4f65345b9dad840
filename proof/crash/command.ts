import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { SCENARIOS as CLUSTER } from './cluster/scenarios';
import { NUMBERS, ROWS, type Choice, type Numbers } from './rows';

const USAGE = `npm run crash [-- --engine embedded] [--seed N --messages N --workspaces N --every SECONDS]
npm run crash -- --engine cluster [--scenario NAME] [--seed N --workspaces N --pace N --every SECONDS]
npm run crash -- --scenario webhooks [--engine cluster] [--events N --kills N --attempts N]
npm run crash -- --scenario postfix [--seed N --kills N]
npm run crash -- --scenario campaign [--engine cluster] [--seed N --contacts N --every SECONDS]
npm run crash -- --scenario journeys [--engine cluster] [--seed N --contacts N --every SECONDS]

Injects faults while messages are sent, then counts lost and doubled messages and wrong coins. Exit code 1 unless all are 0.
On the embedded engine the service is killed again and again. On the cluster engine a scenario runs against two processes of
each role and the servers of KAFKA_BROKERS, MONGODB_URL and REDIS_URL. Scenarios that kill servers find their processes in the
folder KURIR_SERVICES (<name>.pid, <name>.port).
${Object.values(ROWS)
  .map(({ about }) => about)
  .join('\n')}
  --seed N          seed for the order of the messages and the moments of faults (default: a new one)
  --messages N      default 2000 (embedded)
  --workspaces N    default 20, on the cluster 12
  --every SECONDS   time between two faults: on average 3, on the cluster 6
  --pace N          messages per second (cluster, default 15)
  --events N        events for webhooks (default 10000); each goes to ten endpoints
  --kills N         kills while these arrive (default 4); with postfix, in hand-offs (default 100); else at most so many
  --attempts N      attempts to watch at endpoints that fail (default 5, which takes 300 s)
  --contacts N      contacts of the campaign (default 10000, on the cluster 2000), or in the journey (1000)
  --scenario NAME   default kill; webhooks, campaign and journeys, on either engine; postfix; on the cluster also:
${Object.entries(CLUSTER)
  .map(([name, { about }]) => `    ${name.padEnd(16)} ${about}`)
  .join('\n')}`;

/** Null if help is wanted. Throws on wrong arguments. */
function readArguments(args: string[]): Choice | null {
  const { values } = parseArgs({
    args,
    options: {
      help: { type: 'boolean', short: 'h' },
      engine: { type: 'string', default: 'embedded' },
      scenario: { type: 'string', default: 'kill' },
      ...(Object.fromEntries(NUMBERS.map((name) => [name, { type: 'string' }])) as Record<
        (typeof NUMBERS)[number],
        { type: 'string' }
      >),
    },
  });
  const numbers: Numbers = {};
  for (const name of NUMBERS) {
    const text = values[name];
    if (text === undefined) continue;
    if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`--${name} must be a whole number, at least 1.`);
    numbers[name] = Number(text);
  }
  const { help = false, engine, scenario } = values;
  if (engine !== 'embedded' && engine !== 'cluster') throw new Error('--engine must be embedded or cluster.');
  const scenarios = [...Object.keys(CLUSTER), ...Object.keys(ROWS)];
  if (!scenarios.includes(scenario)) throw new Error(`--scenario must be one of ${scenarios.join(', ')}.`);
  if (numbers.attempts && numbers.attempts > 5) throw new Error('--attempts must be at most 5.');
  return help ? null : { engine, scenario, numbers, seed: numbers.seed ?? randomInt(1, 1_000_000) };
}

/** `npm run crash`: plays a scenario, prints what it found and how much happened; exit code 1 if it found anything. */
export async function crash(args: string[]): Promise<void> {
  let choice: Choice | null;
  try {
    choice = readArguments(args);
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`);
    process.exitCode = 2;
    return;
  }
  if (!choice) return console.log(USAGE);
  // Exit through process.exit, so that the child processes end with this one.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  console.log(`seed ${choice.seed}`);
  const row = ROWS[choice.scenario] ?? (choice.engine === 'cluster' ? ROWS['cluster'] : ROWS['embedded']);
  const { wrong, figures, more = [] } = await row!.play(choice);
  const lines = figures.map(([name, n]) => {
    const value = typeof n === 'number' ? Math.round(n) : n;
    return `${name.padEnd(26)} ${String(value).padStart(9)}`;
  });
  console.log([...wrong, '', ...lines, ...more].join('\n'));
  process.exitCode = wrong.length === 0 ? 0 : 1;
}
