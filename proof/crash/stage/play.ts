import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sleep } from '../../../lib/sleep';
import { HOUR, MINUTE } from '../../../lib/clock';
import type { Counts } from '../../judge/counts';
import type { Acts } from '../../judge/history';
import { judge } from '../../judge/judge';
import type { Slack } from '../../judge/rules';
import { readAll } from '../../world/exports';
import { leftIn } from '../../world/unfinished-work';
import { Outside } from '../../world/actors';
import type { Profile } from '../../world/profile';
import type { Filled } from '../../world/template';
import type { Ports } from '../../world/program';
import { Random } from '../../world/random';
import { Recorder } from '../../world/recorder';
import { SendingServer } from '../../world/sending-server';
import { auditData } from '../audit-data';
import { freePorts } from '../free-ports';
import { withData } from '../installation';
import { seedInstallation, type Sender } from '../seed';
import { Stage, type StageOptions } from './stage';
import { tellWork } from './stuck';
import { until } from './until';
import { workOff } from './work-off';

export interface PlayOptions extends Omit<StageOptions, 'server'> {
  seed: number;
  progress: (text: string) => void;
  /** What the judge grants besides. */
  slack?: Partial<Slack>;
}

/** What a scenario works with. */
export interface Scene {
  stage: Stage;
  outside: Outside;
  senders: readonly Sender[];
  random: Random;
  progress: (text: string) => void;
}

/** What the judge found. */
export interface Judged {
  /** A line for everything that is wrong, by its kind. */
  lost: string[];
  doubled: string[];
  coinsWrong: string[];
  differences: string[];
  /** What happened, by class. */
  counts: Counts;
  /** Mails that the sending server took, and those that failed before their first byte, as nobody can tell. */
  taken: number;
  neverSent: number;
}

/** What came of a scenario. */
export interface Played extends Judged {
  kills: number;
  /** Real time, ms. */
  took: number;
}

/** The most that time moves at once while nothing works. */
const JUMPS = [MINUTE, HOUR, 6 * HOUR];
/** Reports come so soon, ms. */
const REPORTED = 150;
/** The rules whose findings count as doubled mail, wrong coins and differences of the audit; all others: as lost. */
const DOUBLED = ['doubled', 'unsent', 'key', 'repeat', 'shared'];
const COINS = ['cost', 'ledger', 'negative', 'balance', 'read'];

/**
 * Plays a scenario: seeds the data, starts the service before a sending server of the proof, acts, moves time on until
 * all has come to its end, reads all that the API tells, stops the service and audits its data. Callers and servers
 * write a history, and the judge decides by it (docs/proof.md#the-judge). `act` has its own faults to tell, and `tell`
 * reads figures from the history.
 */
export async function play<A extends object, B extends object = object>(
  options: PlayOptions,
  { workspaces, coins, prepare }: { workspaces: number; coins?: number; prepare?: (scene: Scene) => Promise<void> },
  act: (scene: Scene) => Promise<A>,
  tell: (scene: Scene) => B | Promise<B> = () => ({}) as B,
): Promise<A & B & Played> {
  const began = performance.now();
  const scene = await openScene(options, ({ installation }) => seedInstallation(installation, workspaces, coins));
  let judged: Judged | null = null;
  try {
    await prepare?.(scene);
    await scene.stage.mustStart();
    const acted = await act(scene);
    const stuck = await untilFinal(scene);
    await readAll(scene.outside);
    const told = await tell(scene);
    judged = await judgeScene(scene, [...stuck, ...faultsOf(acted), ...faultsOf(told)], options.slack);
    return { ...acted, ...told, ...judged, kills: scene.stage.kills, took: performance.now() - began };
  } finally {
    const isGood = judged !== null && wrongOf(judged).length === 0;
    await closeScene(scene, !isGood);
    if (!isGood) options.progress(`the history and the logs of the processes are in ${scene.stage.folder}`);
  }
}

const faultsOf = (found: { faults?: string[] }): string[] => found.faults ?? [];

/** Everything that is wrong. */
export const wrongOf = ({ lost, doubled, coinsWrong, differences }: Judged): string[] => [
  ...[lost, doubled, coinsWrong, differences].flat(),
];

/** Stops the service, and audits its data. `faults`: what else is wrong. */
export async function stopAndAudit({ stage, outside }: Scene, faults: readonly string[]): Promise<void> {
  const audit = outside.recorder.begin('operator', 'audit', {});
  const unclean = await stage.stop();
  audit.ok({ differences: [...unclean, ...faults, ...(await auditData(stage.installation))] });
}

/** Stops the service, audits its data and has the history judged. `faults`: what else is wrong. */
export async function judgeScene(scene: Scene, faults: readonly string[], slack: Partial<Slack> = {}): Promise<Judged> {
  await stopAndAudit(scene, faults);
  const { findings, counts } = await judge(scene.outside.recorder.lines, slack);
  const of = (holds: (rule: string) => boolean): string[] =>
    findings.flatMap(({ rule, subject, text }) => (holds(rule) ? [`${rule}: ${subject}: ${text}`] : []));
  return {
    doubled: of((rule) => DOUBLED.includes(rule)),
    coinsWrong: of((rule) => COINS.includes(rule)),
    differences: of((rule) => rule === 'audit'),
    lost: of((rule) => rule !== 'audit' && !DOUBLED.includes(rule) && !COINS.includes(rule)),
    counts,
    taken: counts['takes'] ?? 0,
    neverSent: counts['withoutRecord'] ?? 0,
  };
}

/** Ends all processes; keeps their logs and the history where something was found. */
export async function closeScene({ stage, outside }: Scene, keepsLogs = false): Promise<void> {
  outside.close();
  outside.server.close();
  const lines = outside.recorder.lines.map((line) => `${JSON.stringify(line)}\n`);
  if (keepsLogs) writeFileSync(join(stage.folder, 'history.jsonl'), lines.join(''));
  await stage.close(keepsLogs);
}

/** How those outside act, where it is not as in a scenario. */
export interface Surroundings {
  profile?: Partial<Profile> & { slowest?: number; odd?: number };
  /** The port of receivers of webhooks; the first of several. */
  hooks?: number;
  /** How far the time of the program is ahead of the stage's, ms. */
  ahead?: () => number;
  /** True: reports wait by the time of the program. Default: they come soon. */
  areReportsLate?: boolean;
  failures?: () => number;
}

/** A stage before a sending server of the proof, with a history. `seed` fills its data. */
export async function openScene(
  options: PlayOptions,
  fillData: (stage: Stage) => Promise<Filled>,
  { profile: more = {}, hooks = 0, ahead = () => 0, areReportsLate = false, failures = () => 0 }: Surroundings = {},
): Promise<Scene> {
  const { seed, progress } = options;
  const [mta = 0] = await freePorts(1);
  const ports: Ports = { mta, http: 0, bounce: 0, smtp: 0, smtps: 0, hooks };
  const now = (): number => stage.now() + ahead();
  const recorder = new Recorder(now);
  const random = (name: string): Random => new Random(seed, `crash ${name}`);
  const profile = { kinds: [], doubled: 0.2, overdue: 0, ...more } as Partial<Profile> as Profile;
  const elsewhere = (): void => {
    [ports.http, ports.bounce] = [after(stage.httpPorts, ports.http), after(stage.bouncePorts, ports.bounce)];
  };
  const wait = async (ms: number): Promise<void> => {
    if (!areReportsLate) return sleep(Math.min(ms, REPORTED));
    const end = now() + ms;
    await until(() => now() >= end, { every: 20 });
  };
  const server = new SendingServer(recorder, random('network'), profile, ports, wait, elsewhere);
  const onFault = (kind: string): void => void recorder.begin('nemesis', 'fault', { kind });
  // Time goes on while late reports wait.
  const stage = await Stage.open({ ...options, server: areReportsLate ? { port: mta, pending: 0 } : server, onFault });
  elsewhere();
  ports.smtps = stage.smtpsPort;
  server.listen();
  const filled = await fillData(stage);
  const template = { ...filled, dir: '', replicaSet: null };
  const world = { template, profile, recorder, server, ports, random: random('load'), failures };
  const outside = new Outside({ ...world, onSilence: elsewhere });
  for (const { workspaceId: workspace, coins: given, isFree } of filled.accounts)
    recorder.begin('operator', 'account', { workspace, coins: given, isFree });
  return { stage, outside, senders: filled.accounts, random: random('faults'), progress };
}

const after = (list: readonly number[], one: number): number => list[(list.indexOf(one) + 1) % list.length] ?? 0;

/** Moves time on until every message is final and no work is left that ends by itself. Says what does not end. */
export const untilFinal = ({ stage, outside }: Scene): Promise<string[]> =>
  withData(stage.installation, async ({ stores }) => {
    const left = async (): Promise<string> => {
      const { pending } = outside.server;
      const open = pending > 0 ? `${pending} reports wait` : await leftIn(stores);
      return open && `${open} after ${outside.server.mails.length} mails`;
    };
    try {
      await workOff(stage, left, () => outside.random.pick(JUMPS));
      return [];
    } catch (error) {
      return [[(error as Error).message, ...(await tellWork(stores, stage.now()))].join('\n')];
    }
  });

/** What a history says of one kind of act that was done. */
export const doneOf = <F extends keyof Acts>(
  scene: Scene,
  f: F,
): { value: Acts[F][0]; answer: Acts[F][1]; t: number }[] => {
  const asked = new Map<number, { value: Acts[F][0]; t: number }>();
  const done: { value: Acts[F][0]; answer: Acts[F][1]; t: number }[] = [];
  for (const { f: of, n, type, value, t } of scene.outside.recorder.lines) {
    if (of !== f) continue;
    if (type === 'invoke') asked.set(n, { value: value as Acts[F][0], t });
    else if (type === 'ok') done.push({ ...asked.get(n)!, answer: value as Acts[F][1] });
  }
  return done;
};
