import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { StartError } from '../../lib/start-error';
import { serveRole } from '../crash/stage/role';
import { acceptRate } from './parts/accept';
import { AUDIT_TITLE, auditTime } from './parts/audit';
import { CAMPAIGN_TITLE, campaignRates } from './parts/campaign';
import { CPU_TITLE, processorTime } from './parts/cpu';
import { DISPATCH_TITLE, dispatchScaling } from './parts/cluster-dispatch';
import { ENGINES_TITLE, engineRatio } from './parts/cluster-engines';
import { MEMORY_TITLE as ROLES_TITLE, roleMemory } from './parts/cluster-memory';
import { endToEndRate, endToEndSenders } from './parts/end-to-end';
import { acceptLatency, latencySenders } from './parts/latency';
import { JOURNEYS_TITLE, journeyRates } from './parts/journeys';
import { RELAY_TITLE, relayRate } from './parts/relay';
import { restOfStates, STATES_TITLE } from './parts/rest';
import { SCREENS_TITLE, screenTimes } from './parts/screens';
import { WEBHOOKS_TITLE, webhookRates } from './parts/webhooks';
import { partsNamed } from './parts-named';
import { type Section, publish } from './report';
import { ROLES, type RoleName } from './roles';
import { type Effort, type Stage, withStage } from './stage';

const FULL: Effort = { rounds: 5, seconds: 8, mails: 5_000, connections: 64, mtaConnections: 20 };
const QUICK: Effort = { rounds: 1, seconds: 2, mails: 1_000, connections: 64, mtaConnections: 20 };

/** Each part and the workspaces it uses. Later parts find the service warm and its store filled by earlier ones. */
const PARTS: Record<string, { play(stage: Stage): Promise<Section>; senders(effort: Effort): number }> = {
  'end-to-end': { play: endToEndRate, senders: ({ rounds, mails }) => endToEndSenders(rounds, mails) },
  latency: { play: acceptLatency, senders: ({ seconds }) => latencySenders(seconds) },
  accept: { play: acceptRate, senders: () => 1 },
};

/** Parts that need more than a service, or take minutes. They run only when named. */
const APART: Record<
  string,
  { title: string; play(quick: boolean, env: NodeJS.ProcessEnv, against: string | null): Promise<Section> }
> = {
  cpu: { title: CPU_TITLE, play: (quick, _env, against) => processorTime(quick, against) },
  audit: { title: AUDIT_TITLE, play: auditTime },
  relay: { title: RELAY_TITLE, play: relayRate },
  campaign: { title: CAMPAIGN_TITLE, play: campaignRates },
  journeys: { title: JOURNEYS_TITLE, play: journeyRates },
  webhooks: { title: WEBHOOKS_TITLE, play: webhookRates },
  screens: { title: SCREENS_TITLE, play: screenTimes },
  rest: { title: STATES_TITLE, play: restOfStates },
  'cluster-dispatch': { title: DISPATCH_TITLE, play: dispatchScaling },
  'cluster-engines': { title: ENGINES_TITLE, play: engineRatio },
  'cluster-memory': { title: ROLES_TITLE, play: roleMemory },
};

const USAGE = `npm run bench [-- [--quick] [--against <commit>] [part ...]]

Parts: ${Object.keys(PARTS).join(', ')}; all of them when none is named, and then proof/bench/results.md is written.
Apart, only when named: ${Object.keys(APART).join(', ')}; its section of proof/bench/results.md is written and stays in later runs.
"cluster" names the three of them; they and, where they are set, "journeys", "screens" and "rest" take the servers of KAFKA_BROKERS, MONGODB_URL and REDIS_URL, a database and topics of their own.
--against builds another commit in a worktree of its own; "cpu" measures it beside this build, in turns.
--quick runs short, for trying the benches rather than the service.`;

interface Choice {
  /** Set only in helper processes. */
  role?: string | undefined;
  help: boolean;
  quick: boolean;
  against: string | null;
  parts: string[];
}

function readArguments(): Choice {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      role: { type: 'string' },
      quick: { type: 'boolean' },
      against: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const parts = partsNamed(positionals, [...Object.keys(PARTS), ...Object.keys(APART)]);
  const { role, help = false, quick = false, against = null } = values;
  return { role, help, quick, against, parts };
}

const RESULTS = join(__dirname, '..', 'proof/bench/results.md');

async function run(choice: Choice): Promise<void> {
  // Exit through process.exit, so that the child processes end with this one.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const named = (part: string): boolean => choice.parts.includes(part);
  const together = Object.keys(PARTS).filter((part) => choice.parts.length === 0 || named(part));
  if (together.length > 0) {
    const keep = Object.values(APART).map(({ title }) => title);
    const complete = together.length === Object.keys(PARTS).length && !choice.quick;
    publish(await playTogether(together, choice.quick), complete ? RESULTS : null, { keep });
  }
  for (const [name, part] of Object.entries(APART)) {
    if (!named(name)) continue;
    console.error(`${name} ...`);
    publish([await part.play(choice.quick, process.env, choice.against)], choice.quick ? null : RESULTS);
  }
}

/** Runs the parts on one stage, in the order of the list. */
async function playTogether(names: readonly string[], quick: boolean): Promise<Section[]> {
  const effort = quick ? QUICK : FULL;
  const chosen = Object.entries(PARTS).filter(([name]) => names.includes(name));
  const workspaces = chosen.reduce((sum, [, part]) => sum + part.senders(effort), 0);
  return withStage(effort, workspaces, async (stage) => {
    const found: Section[] = [];
    for (const [name, part] of chosen) {
      console.error(`${name} ...`);
      found.push(await part.play(stage));
    }
    return found;
  });
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
  if (choice.role) serveRole(ROLES[choice.role as RoleName]());
  else if (choice.help) console.log(USAGE);
  else await run(choice);
}

main().catch((error: unknown) => {
  console.error(error instanceof StartError ? error.message : error);
  process.exitCode = 1;
});
