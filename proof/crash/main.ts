import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { serveRole } from './role';
import { clusterInstallation, type ServerUrls } from './cluster-installation';
import { ROLE_LISTS } from './cluster/processes';
import { runCluster } from './cluster/run-cluster';
import type { Scenario } from './cluster/scenario';
import { SCENARIOS } from './cluster/scenarios';
import { Servers } from './cluster/servers';
import { proveCampaign } from './campaigns/prove';
import { provePostfix } from './postfix/prove';
import { proveJourneys } from './journeys/prove';
import { runCrash } from './run';
import { runService, type ServiceOptions } from './service';
import { runSink } from './sink-role';
import type { SinkOptions } from './sink/sink';
import type { Verdict } from './verdict';
import { proveWebhooks } from './webhooks/prove';
import { runReceivers, type ReceiverOptions } from './webhooks/receiver-role';
import { clusterSubject, embeddedSubject, type StartSubject } from './webhooks/subject';

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
With --scenario webhooks, opens and clicks go to 20 endpoints of which 17 are good, while the service is killed.
With --scenario postfix, the service is killed past the fence of hand-offs to a real Postfix, which needs root.
With --scenario campaign, contacts are imported and one campaign goes to them, while the service is killed.
With --scenario journeys, contacts go through six steps over days, click, bounce and leave, while the service is killed.
  --seed N          seed for the order of the messages and the moments of faults (default: a new one)
  --messages N      default 2000 (embedded)
  --workspaces N    default 20, on the cluster 12
  --every SECONDS   time between two faults: on average 3, on the cluster 6
  --pace N          messages per second (cluster, default 15)
  --events N        events for webhooks (default 10000); each goes to ten endpoints
  --kills N         kills while these arrive (default 4); with postfix, in hand-offs (default 100)
  --attempts N      attempts to watch at endpoints that fail (default 5, which takes 300 s)
  --contacts N      contacts of the campaign (default 10000, on the cluster 2000), or in the journey (1000)
  --scenario NAME   default kill; webhooks, campaign and journeys, on either engine; postfix; on the cluster also:
${Object.entries(SCENARIOS)
  .map(([name, { about }]) => `    ${name.padEnd(16)} ${about}`)
  .join('\n')}`;

const NUMBERS = ['seed', 'messages', 'workspaces', 'every', 'pace', 'events', 'kills', 'attempts', 'contacts'] as const;
const WEBHOOKS = 'webhooks';
const CAMPAIGN = 'campaign';
const POSTFIX = 'postfix';
const JOURNEYS = 'journeys';
type Numbers = Partial<Record<(typeof NUMBERS)[number], number>>;

interface Choice {
  /** Set only in child processes. */
  role: string | undefined;
  options: string;
  help: boolean;
  engine: 'embedded' | 'cluster';
  scenario: string;
  numbers: Numbers;
}

function readArguments(): Choice {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      role: { type: 'string' },
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
  const { role, help = false, engine, scenario } = values;
  if (engine !== 'embedded' && engine !== 'cluster') throw new Error('--engine must be embedded or cluster.');
  const scenarios = [...Object.keys(SCENARIOS), WEBHOOKS, CAMPAIGN, JOURNEYS, POSTFIX];
  if (!scenarios.includes(scenario)) throw new Error(`--scenario must be one of ${scenarios.join(', ')}.`);
  if (numbers.attempts && numbers.attempts > 5) throw new Error('--attempts must be at most 5.');
  return { role, options: positionals[0] ?? '{}', help, engine, scenario, numbers };
}

/** Spreads the messages over half a minute, which leaves room for ten kills. */
const paceOf = (messages: number): number => Math.max(20, messages / 30);

function report(result: Verdict & { differences: string[]; took: number }, about: [string, number | string][]): void {
  const { lost, doubled, coinsWrong, differences } = result;
  const rows: [string, number | string][] = [
    ...about,
    ['mails at the sink', result.taken],
    ['failed, never sent', result.neverSent],
    ['lost', lost.length],
    ['doubled', doubled.length],
    ['coins wrong', coinsWrong.length],
    ['audit differences', differences.length],
    ['seconds', Math.round(result.took / 1_000)],
  ];
  const wrong = [...lost, ...doubled, ...coinsWrong, ...differences];
  for (const line of wrong) console.log(line);
  console.log(['', ...rows.map(([name, value]) => `${name.padEnd(26)} ${String(value).padStart(8)}`)].join('\n'));
  process.exitCode = wrong.length === 0 ? 0 : 1;
}

const COMMON = {
  program: join(__dirname, 'crash.js'),
  progress: (text: string): void => console.error(text),
};

async function proveEmbedded(numbers: Numbers, seed: number): Promise<void> {
  const { messages = 2_000, workspaces = 20, every = 3, pace = paceOf(messages) } = numbers;
  const result = await runCrash({ ...COMMON, seed, messages, workspaces, every, pace });
  report(result, [
    ['seed', seed],
    ['messages', result.messages],
    ['kills', result.kills],
  ]);
}

async function proveCluster(numbers: Numbers, seed: number, name: string): Promise<void> {
  const { workspaces = 12, every = 6, pace = 15 } = numbers;
  const urls = readUrls(process.env);
  const servers = new Servers(process.env['KURIR_SERVICES'] || null);
  const scenario = SCENARIOS[name] as Scenario;
  const refusal = scenario.unsupportedReason?.(servers) ?? null;
  if (refusal !== null) throw new Error(`The scenario ${name} cannot run here: ${refusal}.`);
  const installation = clusterInstallation(urls, `kurir_crash_${randomInt(1e9)}`);
  try {
    const run = { ...COMMON, seed, workspaces, every: every * 1_000, pace, roleLists: ROLE_LISTS };
    const result = await runCluster({ ...run, installation, servers, scenario });
    for (const line of result.unexpectedExits) console.log(`restarted: ${line}`);
    report(result, [
      ['scenario', name],
      ['seed', seed],
      ['messages', result.messages],
      ['kills of processes', result.kills],
      ['unexpected exits', result.unexpectedExits.length],
      ['longest silence, ms', result.silence],
    ]);
  } finally {
    await installation.remove();
  }
}

const onCluster = (): StartSubject =>
  clusterSubject(clusterInstallation(readUrls(process.env), `kurir_crash_${randomInt(1e9)}`));

function readUrls(env: Readonly<Record<string, string | undefined>>): ServerUrls {
  const { KAFKA_BROKERS: kafka, MONGODB_URL: mongodb, REDIS_URL: redis } = env;
  if (kafka && mongodb && redis) return { kafka, mongodb, redis };
  throw new Error('Set KAFKA_BROKERS, MONGODB_URL and REDIS_URL to the servers to use.');
}

function show({ text, isGood }: { text: string; isGood: boolean }): void {
  console.log(text);
  process.exitCode = isGood ? 0 : 1;
}

async function proveEvents({ engine, numbers }: Choice): Promise<void> {
  const { events = 10_000, kills = 4, attempts = 5 } = numbers;
  const start = engine === 'embedded' ? embeddedSubject : onCluster();
  show(await proveWebhooks({ ...COMMON, start, events, kills, attempts }));
}

async function proveOneCampaign({ engine, numbers }: Choice, seed: number): Promise<void> {
  const isEmbedded = engine === 'embedded';
  const { contacts = isEmbedded ? 10_000 : 2_000, every = isEmbedded ? 3 : 6 } = numbers;
  const start = isEmbedded ? embeddedSubject : onCluster();
  show(await proveCampaign({ ...COMMON, start, seed, contacts, every }));
}

async function proveOneJourney({ engine, numbers }: Choice, seed: number): Promise<void> {
  const isEmbedded = engine === 'embedded';
  const { contacts = 1_000, every = isEmbedded ? 3 : 6 } = numbers;
  const start = isEmbedded ? embeddedSubject : onCluster();
  show(await proveJourneys({ ...COMMON, start, seed, contacts, every }));
}

async function prove(choice: Choice): Promise<void> {
  const { engine, scenario, numbers } = choice;
  // Exit through process.exit, so that the child processes end with this one.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  if (scenario === WEBHOOKS) return proveEvents(choice);
  const { seed = randomInt(1, 1_000_000) } = numbers;
  console.log(`seed ${seed}`);
  if (scenario === POSTFIX) return show(await provePostfix({ ...COMMON, seed, kills: numbers.kills ?? 100 }));
  if (scenario === CAMPAIGN) return proveOneCampaign(choice, seed);
  if (scenario === JOURNEYS) return proveOneJourney(choice, seed);
  await (engine === 'embedded' ? proveEmbedded(numbers, seed) : proveCluster(numbers, seed, scenario));
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
  const { role, options, help } = choice;
  if (role === 'service') serveRole(await runService(JSON.parse(options) as ServiceOptions));
  else if (role === 'sink') serveRole(await runSink(JSON.parse(options) as SinkOptions));
  else if (role === 'receivers') serveRole(await runReceivers(JSON.parse(options) as ReceiverOptions));
  else if (help) console.log(USAGE);
  else await prove(choice);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
