import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { runCampaign } from './campaigns/run-campaign';
import { clusterInstallation, type ServerUrls } from './cluster-installation';
import { runCluster } from './cluster/run-cluster';
import { SCENARIOS } from './cluster/scenarios';
import { Servers } from './cluster/servers';
import type { Installation } from './installation';
import { runJourneys } from './journeys/run-journeys';
import { whyNoPostfix } from './postfix/postfix';
import { runPostfix } from './postfix/run-postfix';
import { runCrash } from './run';
import { SECOND } from '../../lib/clock';
import type { Played, PlayOptions } from './stage/play';
import { ROLE_LISTS, twoOfAll } from './stage/role-lists';
import { runWebhooks } from './webhooks/run-webhooks';

export const NUMBERS = [
  ...(['seed', 'messages', 'workspaces', 'every', 'pace', 'events', 'kills', 'attempts', 'contacts'] as const),
];
export type Numbers = Partial<Record<(typeof NUMBERS)[number], number>>;

/** What was asked for on the command line. */
export interface Choice {
  engine: 'embedded' | 'cluster';
  scenario: string;
  seed: number;
  numbers: Numbers;
}

type Figure = [name: string, value: number | string];

interface Shown {
  /** A line for everything that is wrong. */
  wrong: string[];
  figures: Figure[];
  more?: string[];
}

/** A scenario of `npm run crash`: how it is played with the numbers of the command line, and what is shown of it. */
interface Row {
  about: string;
  play: (choice: Choice) => Promise<Shown>;
}

const base = ({ seed }: Choice): PlayOptions => ({
  program: join(__dirname, 'crash.js'),
  progress: (text) => void process.stderr.write(`${text}\n`),
  seed,
});

function newInstallation(): Installation {
  const { KAFKA_BROKERS: kafka, MONGODB_URL: mongodb, REDIS_URL: redis } = process.env;
  if (!kafka || !mongodb || !redis)
    throw new Error('Set KAFKA_BROKERS, MONGODB_URL and REDIS_URL to the servers to use.');
  const urls: ServerUrls = { kafka, mongodb, redis };
  return clusterInstallation(urls, `kurir_crash_${randomInt(1e9)}`);
}

/** One process on the embedded engine, or two with all roles on the cluster engine. */
const onEngine = (choice: Choice): PlayOptions => ({
  ...base(choice),
  ...(isEmbedded(choice) ? {} : twoOfAll(newInstallation())),
});

const isEmbedded = ({ engine }: Choice): boolean => engine === 'embedded';

type Counted = Pick<Played, 'lost' | 'doubled' | 'coinsWrong' | 'differences' | 'took'>;

function counted({ lost, doubled, coinsWrong, differences, took }: Counted, figures: Figure[]): Shown {
  return {
    wrong: [...lost, ...doubled, ...coinsWrong, ...differences],
    figures: [
      ...figures,
      ['lost', lost.length],
      ['doubled', doubled.length],
      ['coins wrong', coinsWrong.length],
      ['audit differences', differences.length],
      ['seconds', took / SECOND],
    ],
  };
}

/** Every scenario; those of the cluster's faults are rows of cluster/scenarios.ts, and share one here. */
export const ROWS: Readonly<Record<string, Row>> = {
  embedded: {
    about: 'By default the one process of the embedded engine is killed until every message is final.',
    async play(choice) {
      const { messages = 2_000, workspaces = 20, every = 3, kills: mostKills } = choice.numbers;
      // Half a minute of messages leaves room for ten kills.
      const { pace = Math.max(20, messages / 30) } = choice.numbers;
      const result = await runCrash({ ...base(choice), messages, workspaces, every, pace, mostKills });
      return counted(result, [
        ['seed', choice.seed],
        ['messages', result.counts['messages'] ?? 0],
        ['kills', result.kills],
        ['mails at the sink', result.taken],
        ['failed, never sent', result.neverSent],
      ]);
    },
  },
  cluster: {
    about: 'With --engine cluster, a fault of the list below happens under load.',
    async play(choice) {
      const { workspaces = 12, every = 6, pace = 15 } = choice.numbers;
      const servers = new Servers(process.env['KURIR_SERVICES'] || null);
      const scenario = SCENARIOS[choice.scenario];
      if (!scenario) throw new Error(`There is no scenario ${choice.scenario}.`);
      const refusal = scenario.unsupportedReason?.(servers) ?? null;
      if (refusal !== null) throw new Error(`The scenario ${choice.scenario} cannot run here: ${refusal}.`);
      const place = { installation: newInstallation(), roleLists: ROLE_LISTS };
      const run = { ...base(choice), ...place, workspaces, every: every * SECOND, pace };
      const result = await runCluster({ ...run, servers, scenario });
      const shown = counted(result, [
        ['scenario', choice.scenario],
        ['seed', choice.seed],
        ['messages', result.counts['messages'] ?? 0],
        ['kills of processes', result.kills],
        ['unexpected exits', result.unexpectedExits.length],
        ['longest silence, ms', result.silence],
        ['mails at the sink', result.taken],
        ['failed, never sent', result.neverSent],
      ]);
      return { ...shown, more: result.unexpectedExits.map((line) => `restarted: ${line}`) };
    },
  },
  webhooks: {
    about: 'With --scenario webhooks, opens and clicks go to 20 endpoints of which 17 are good, while it is killed.',
    async play(choice) {
      const { events = 10_000, kills = 4, attempts = 5 } = choice.numbers;
      const found = await runWebhooks({ ...onEngine(choice), events, kills, attempts });
      const { memory } = found;
      const shown = counted(found, [
        ['events', found.events],
        ['arrived at good endpoints', found.arrived],
        ['came again, same id', found.counts['repeatedWebhooks'] ?? 0],
        ['requests that failed', (found.counts['failedWebhooks'] ?? 0) + (found.counts['cutWebhooks'] ?? 0)],
        ['arrivals a second', found.rate],
        ['kills', found.kills],
        ['worst wait, ms off', found.worstWait],
        ['peak memory, MB', memory.peak],
      ]);
      const quarters = memory.quarters.join(', ');
      return { ...shown, more: [`memory by quarters of the longest life (${memory.life} s), MB: ${quarters}`] };
    },
  },
  campaign: {
    about: 'With --scenario campaign, contacts are imported and one campaign goes to them, while it is killed.',
    async play(choice) {
      const { contacts = isEmbedded(choice) ? 10_000 : 2_000, every = isEmbedded(choice) ? 3 : 6 } = choice.numbers;
      const found = await runCampaign({ ...onEngine(choice), contacts, every, mostKills: choice.numbers.kills });
      return counted(found, [
        ['contacts', contacts],
        ['refused lines', found.refusedLines],
        ['imported a second', found.importRate],
        ...Object.entries(found.skipped).map(([reason, n]): Figure => [`skipped: ${reason}`, n]),
        ['mails at the sink', found.taken],
        ['failed, never sent', found.neverSent],
        ['looks at the counts', found.counts['looks'] ?? 0],
        ['kills', found.kills],
      ]);
    },
  },
  journeys: {
    about: 'With --scenario journeys, contacts go through six steps over days, click, bounce and leave, meanwhile.',
    async play(choice) {
      const { contacts = 1_000, every = isEmbedded(choice) ? 3 : 6 } = choice.numbers;
      const found = await runJourneys({ ...onEngine(choice), contacts, every, mostKills: choice.numbers.kills });
      return counted(found, [
        ['contacts', contacts],
        ...Object.entries(found.ends),
        ['steps done', found.steps],
        ['kills', found.kills],
        ['mails at the sink', found.taken],
        ['failed, never sent', found.neverSent],
      ]);
    },
  },
  postfix: {
    about: 'With --scenario postfix, it is killed past the fence of hand-offs to a real Postfix, which needs root.',
    async play(choice) {
      const why = whyNoPostfix();
      if (why !== null) throw new Error(`The scenario postfix cannot run here: ${why}.`);
      const result = await runPostfix({ ...base(choice), kills: choice.numbers.kills ?? 100 });
      return counted(result, [
        ['mails', result.mails],
        ['kills past the fence', result.kills],
        ['not taken, queued again', result.queuedAgain],
      ]);
    },
  },
};
