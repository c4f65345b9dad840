import { loadavg } from 'node:os';
import { join } from 'node:path';
import { sleep } from '../../../lib/sleep';
import { callApi } from '../call-api';
import { type BuildSender, type CpuStage, openCpuStage } from '../cpu-stage';
import { inFolder } from '../in-folder';
import { buildCommit, removeBuild } from '../other-build';
import { type Section, fixed, machine, whole } from '../report';
import { readThreads, type ThreadUsage, usedBetween } from '../thread-usage';
import { median, monotonic } from '../time';
import { refuseFaults } from './accept';

export const CPU_TITLE = 'Processor time a message';

interface Effort {
  rounds: number;
  /** Messages of a round that are accepted, and of the warm-up before the first. */
  accepts: number;
  warmUp: number;
  /** Messages of a round that are handed over and reported; below the 1,200 a minute of a workspace. */
  mails: number;
}
const FULL: Effort = { rounds: 5, accepts: 10_000, warmUp: 25_000, mails: 1_100 };
const QUICK: Effort = { rounds: 1, accepts: 2_000, warmUp: 1_000, mails: 300 };

const CONNECTIONS = 64;
/** From the first request of the mails of a round until all of them are due, ms. */
const DUE_IN = 10_000;
/** What takes longer has lost mails, ms. */
const LIMIT = 60_000;
/** Workspaces of a round: one whose events nobody receives, and one with a webhook. */
const PER_ROUND = 2;

const STEPS = ['accept', 'dispatch', 'feedback', 'webhook'] as const;
type Step = (typeof STEPS)[number];
type Found = Record<Step, ThreadUsage>;

/** One build; `commit` null: this one. */
interface Build {
  commit: string | null;
  dist: string;
}

/** Processor time of each step of a message by thread, of this build and of the commit `against`, in turns. */
export function processorTime(quick: boolean, against: string | null): Promise<Section> {
  const effort = quick ? QUICK : FULL;
  return inFolder(async (folder) => {
    const builds: Build[] = [{ commit: null, dist: __dirname }];
    if (against === null) return measureBuilds(effort, folder, builds);
    builds.push(buildCommit(folder, against));
    try {
      return await measureBuilds(effort, folder, builds);
    } finally {
      removeBuild(folder);
    }
  });
}

async function measureBuilds(effort: Effort, folder: string, builds: readonly Build[]): Promise<Section> {
  const load = fixed(loadavg()[0] ?? NaN, 1);
  const stages: CpuStage[] = [];
  try {
    const found = builds.map((): Found[] => []);
    for (const [n, { dist }] of builds.entries()) {
      const workspaces = PER_ROUND * (effort.rounds + 1);
      stages.push(await openCpuStage({ dist, folder: join(folder, `data-${n}`), workspaces }));
    }
    for (const stage of stages) await playRound(stage, { ...effort, accepts: effort.warmUp });
    for (let round = 0; round < effort.rounds; round++) {
      for (const [n, stage] of stages.entries()) found[n]!.push(await playRound(stage, effort));
    }
    return section(effort, builds, found, load);
  } finally {
    for (const stage of stages) await stage.stop();
  }
}

/** Processor time of the service for each message while `play` runs, ms. */
async function timed(
  { service: { pid } }: CpuStage,
  messages: number,
  play: () => Promise<void>,
): Promise<ThreadUsage> {
  const before = readThreads(pid);
  await play();
  const { all, main, next } = usedBetween(before, readThreads(pid), pid);
  return { all: all / messages, main: main / messages, next: next / messages };
}

async function playRound(stage: CpuStage, { accepts, mails }: Effort): Promise<Found> {
  const accept = await timed(stage, accepts, () => post(stage, [stage.free], accepts));
  const [silent, notified] = [stage.takeSender(), stage.takeSender()];
  const url = `http://127.0.0.1:${stage.endpointPort}/`;
  await callApi(stage.service, notified, 'POST', '/webhooks', { url, event_types: ['delivered'] });
  const dispatch = await playDispatch(stage, [silent, notified], mails);
  const feedback = await timed(stage, mails, () => report(stage, silent, mails));
  await stage.endpoints.call('reset', undefined);
  const both = await timed(stage, mails, async () => {
    await report(stage, notified, mails);
    await until(async () => (await stage.endpoints.call('count', undefined)).requests >= mails, 'webhooks');
  });
  const webhook = { all: both.all - feedback.all, main: both.main - feedback.main, next: both.next - feedback.next };
  return { accept, dispatch, feedback, webhook };
}

async function post(stage: CpuStage, senders: BuildSender[], requests: number, sendAt?: string): Promise<void> {
  const { port } = stage.service;
  const options = { port, senders, connections: CONNECTIONS, until: { requests }, sendAt };
  refuseFaults([await stage.load.call('load', options)]);
}

/** Scheduled for the same moment, so that accepting them is over before the first is claimed. */
async function playDispatch(stage: CpuStage, senders: BuildSender[], mails: number): Promise<ThreadUsage> {
  const messages = mails * senders.length;
  await stage.sink.call('reset', undefined);
  const dueAt = Date.now() + DUE_IN;
  await post(stage, senders, messages, new Date(dueAt).toISOString());
  const left = dueAt - Date.now();
  if (left <= 0) throw new Error('The mails were due before all of them were accepted.');
  await sleep(left);
  return timed(stage, messages, async () => {
    await stage.sink.call('waitFor', messages);
    for (const sender of senders) await untilStatus(stage, sender, 'sent_to_mta', mails);
  });
}

/** Reports the mails of a workspace as delivered, until all of them are. */
async function report(stage: CpuStage, sender: BuildSender, mails: number): Promise<void> {
  const envelopes = (await stage.sink.call('envelopes', undefined)).filter(({ sender: from }) =>
    from.endsWith(`@bounce.${sender.domain}`),
  );
  const { hookSecret: secret, service } = stage;
  const taken = await stage.load.call('report', { port: service.port, secret, envelopes, connections: 16 });
  if (taken !== mails) throw new Error(`${taken} of ${mails} reports were taken.`);
  await untilStatus(stage, sender, 'delivered', mails);
}

const untilStatus = (stage: CpuStage, sender: BuildSender, status: string, mails: number): Promise<void> =>
  until(
    async () => Number((await callApi(stage.service, sender, 'GET', `/messages?status=${status}`))['total']) >= mails,
    `messages ${status}`,
  );

/** Asks rarely, since the answers take processor time too. */
async function until(reached: () => Promise<boolean>, what: string): Promise<void> {
  const deadline = monotonic() + LIMIT;
  while (!(await reached())) {
    if (monotonic() > deadline) throw new Error(`There were too few ${what}.`);
    await sleep(100);
  }
}

function section(effort: Effort, builds: readonly Build[], found: readonly Found[][], load: string): Section {
  const of = (build: number, step: Step, thread: keyof ThreadUsage): string =>
    fixed(median(found[build]!.map((round) => round[step][thread])), 3);
  const name = (step: Step, { commit }: Build): string => (commit === null ? step : `${step}, at ${commit}`);
  return {
    title: CPU_TITLE,
    about:
      `\`npm run bench -- cpu --against <commit>\` on ${new Date().toISOString().slice(0, 10)}: ${machine()} Load at the start: ${load}. ` +
      `Milliseconds of processor time of the service for a message with 2 kB of html, the median of ${effort.rounds} rounds, each build in turn. ` +
      `A round accepts ${whole(effort.accepts)} messages that stay in the queue, hands over ${whole(PER_ROUND * effort.mails)} that are due at one moment, ` +
      `and takes as many reports of delivery by HTTP, half of them with a webhook: its line is what that half takes more.`,
    head: ['step', 'all threads', 'main thread', 'busiest other'],
    rows: STEPS.flatMap((step) =>
      builds.map((build, n) => [name(step, build), of(n, step, 'all'), of(n, step, 'main'), of(n, step, 'next')]),
    ),
  };
}
