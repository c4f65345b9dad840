import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sleep } from '../../../lib/sleep';
import { HOUR, MINUTE } from '../../../lib/clock';
import type { Counts } from '../../judge/counts';
import type { Acts } from '../../judge/history';
import { judge } from '../../judge/judge';
import type { Slack } from '../../judge/rules';
import { readAll } from '../../world/exports';
import { leftIn } from '../../world/left';
import { Outside } from '../../world/outside';
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

/** Stops the service, audits its data and has the history judged. `faults`: what else is wrong. */
export async function judgeScene(
  { stage, outside }: Scene,
  faults: readonly string[],
  slack: Partial<Slack> = {},
): Promise<Judged> {
  const audit = outside.recorder.begin('operator', 'audit', {});
  const unclean = await stage.stop();
  audit.ok({ differences: [...unclean, ...faults, ...(await auditData(stage.installation))] });
  const { findings, counts } = await judge(outside.recorder.lines, slack);
  const of = (holds: (rule: string) => boolean): string[] =>
    findings.flatMap(({ rule, subject, text }) => (holds(rule) ? [`${rule}: ${subject}: ${text}`] : []));
  return {
    ...{ doubled: of((rule) => DOUBLED.includes(rule)), coinsWrong: of((rule) => COINS.includes(rule)) },
    differences: of((rule) => rule === 'audit'),
    lost: of((rule) => rule !== 'audit' && !DOUBLED.includes(rule) && !COINS.includes(rule)),
    ...{ counts, taken: counts['takes'] ?? 0, neverSent: counts['withoutRecord'] ?? 0 },
  };
}

/** Ends all processes; keeps their logs and the history where something was found. */
export async function closeScene({ stage, outside }: Scene, keepsLogs = false): Promise<void> {
  outside.server.close();
  const lines = outside.recorder.lines.map((line) => `${JSON.stringify(line)}\n`);
  if (keepsLogs) writeFileSync(join(stage.folder, 'history.jsonl'), lines.join(''));
  await stage.close(keepsLogs);
}

/** A stage before a sending server of the proof, with a history. `seed` fills its data. */
export async function openScene(
  options: PlayOptions,
  fillData: (stage: Stage) => Promise<Filled>,
  sending: { slowest?: number; odd?: number } = {},
): Promise<Scene> {
  const { seed, progress } = options;
  const [mta = 0] = await freePorts(1);
  const ports: Ports = { mta, http: 0, bounce: 0, smtp: 0, smtps: 0, hooks: 0 };
  const recorder = new Recorder(() => stage.now());
  const random = (name: string): Random => new Random(seed, `crash ${name}`);
  const profile = { kinds: [], doubled: 0.2, overdue: 0, ...sending } as Partial<Profile> as Profile;
  const elsewhere = (): void => {
    [ports.http, ports.bounce] = [after(stage.httpPorts, ports.http), after(stage.bouncePorts, ports.bounce)];
  };
  const wait = (ms: number): Promise<void> => sleep(Math.min(ms, REPORTED));
  const server = new SendingServer(recorder, random('network'), profile, ports, wait, elsewhere);
  const stage = await Stage.open({
    ...options,
    server,
    onFault: (kind) => void recorder.begin('nemesis', 'fault', { kind }),
  });
  elsewhere();
  ports.smtps = stage.smtpsPort;
  server.listen();
  const filled = await fillData(stage);
  const template = { ...filled, dir: '', replicaSet: null };
  const outside = new Outside({
    ...{ template, profile, recorder, server, ports },
    random: random('load'),
    failures: () => 0,
    onSilence: elsewhere,
  });
  for (const { workspaceId: workspace, coins: given, isFree } of filled.accounts)
    recorder.begin('operator', 'account', { workspace, coins: given, isFree });
  return { stage, outside, senders: filled.accounts, random: random('faults'), progress };
}

const after = (list: readonly number[], one: number): number => list[(list.indexOf(one) + 1) % list.length] ?? 0;

/** Moves time on until every message is final and no work is left that ends by itself. Says what does not end. */
export const untilFinal = ({ stage, outside }: Scene): Promise<string[]> =>
  withData(stage.installation, async ({ stores }) => {
    const left = async (): Promise<string> => {
      const open = await leftIn(stores);
      return open && `${open} after ${outside.server.mails.length} mails`;
    };
    try {
      await workOff(stage, left, () => outside.random.pick(JUMPS));
      return [];
    } catch (error) {
      return [(error as Error).message];
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
