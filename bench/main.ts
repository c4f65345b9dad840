import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { acceptRate } from './parts/accept';
import { endToEndRate, endToEndSenders } from './parts/end-to-end';
import { acceptLatency, latencySenders } from './parts/latency';
import { type Section, publish } from './report';
import { serveRole } from './role';
import { ROLES, type RoleName } from './roles';
import { type Effort, type Stage, withStage } from './stage';

const FULL: Effort = { rounds: 3, seconds: 8, mails: 5_000, connections: 64, mtaConnections: 20 };
const QUICK: Effort = { rounds: 1, seconds: 2, mails: 1_000, connections: 64, mtaConnections: 20 };

/** Each part, and how many workspaces it takes. Later parts see the service warm and its store filled by earlier ones. */
const PARTS: Record<string, { play(stage: Stage): Promise<Section>; senders(effort: Effort): number }> = {
  'end-to-end': { play: endToEndRate, senders: ({ rounds, mails }) => endToEndSenders(rounds, mails) },
  latency: { play: acceptLatency, senders: ({ seconds }) => latencySenders(seconds) },
  accept: { play: acceptRate, senders: () => 1 },
};

const USAGE = `npm run bench [-- [--quick] [part ...]]

Parts: ${Object.keys(PARTS).join(', ')}; all of them when none is named, and then bench/results.md is written.
--quick runs short, for trying the benches rather than the service.`;

interface Choice {
  /** Set in the helper processes. */
  role?: string | undefined;
  help: boolean;
  quick: boolean;
  parts: string[];
}

function readArguments(): Choice {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { role: { type: 'string' }, quick: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
  });
  const unknown = positionals.find((name) => !Object.hasOwn(PARTS, name));
  if (unknown !== undefined) throw new Error(`There is no part "${unknown}".`);
  return { role: values.role, help: values.help ?? false, quick: values.quick ?? false, parts: positionals };
}

async function runParts({ quick, parts }: Choice): Promise<void> {
  // So that what was started ends with us.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const effort = quick ? QUICK : FULL;
  const chosen = Object.entries(PARTS).filter(([name]) => parts.length === 0 || parts.includes(name));
  const workspaces = chosen.reduce((sum, [, part]) => sum + part.senders(effort), 0);
  const sections = await withStage(effort, workspaces, async (stage) => {
    const found: Section[] = [];
    for (const [name, part] of chosen) {
      console.error(`${name} ...`);
      found.push(await part.play(stage));
    }
    return found;
  });
  const complete = chosen.length === Object.keys(PARTS).length && !quick;
  publish(sections, complete ? join(__dirname, '..', 'bench', 'results.md') : null);
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
  else await runParts(choice);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
