import { cpSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '../../crash/free-ports';
import { withData } from '../../crash/installation';
import { closeScene, openScene, stopAndAudit, untilFinal, type Scene } from '../../crash/stage/play';
import type { Stage } from '../../crash/stage/stage';
import { judge } from '../../judge/judge';
import { readHistory } from '../../judge/read-history';
import { tellStory } from '../../judge/tell-story';
import type { Counts } from '../../judge/counts';
import { Callers } from '../../world/callers';
import type { Profile } from '../../world/profile';
import { readAll } from '../../world/exports';
import { lookAtPages } from '../../world/own-pages';
import { Random } from '../../world/random';
import { MANNERS, Receivers } from '../../world/receivers';
import { makeDkimKey, makeTemplate, type Template } from '../../world/template';
import { KINDS } from '../../crash/sink/behaviour';
import { realFolder } from '../scratch';
import { Nemesis } from './nemesis';
import { sendOddly } from './odd-sender';

export interface LaneTask {
  seed: number;
  /** How long faults happen; then it settles. */
  seconds: number;
  /** dist/crash.js */
  program: string;
}

/** What came of one installation. */
export interface LaneOutcome {
  counts: Counts;
  faults: Record<string, number>;
  kills: number;
  /** Time of the program that passed, ms. */
  passed: number;
  findings: { rule: string; subject: string; text: string; story: string }[];
  /** The history, where something was found. */
  history: string | null;
}

/** What a process with one installation serves. */
export type LaneHandlers = { play: (task: LaneTask) => Promise<LaneOutcome> };

/** Those that are answered at once: real time is dear. */
const SLOW: readonly string[] = ['slow'];
const PROFILE: Profile = {
  callers: 8,
  operations: 16,
  pause: 400,
  coins: [400, 5_000],
  hooks: 1,
  doubled: 0.2,
  kinds: KINDS.filter((kind) => !SLOW.includes(kind)),
  // Network and faults are real here.
  network: { latency: 0, reset: 0, refuse: 0 },
  longest: 0,
  commit: 0,
  down: 0,
  faults: { kill: 0, power: 0, error: 0, refusal: 0, slow: 0, freeze: 0, clock: 0 },
  parts: { relay: false, campaigns: false, journeys: false, forms: false, sales: false },
  focus: null,
  overdue: 0,
};
const TOLD = 3;
/** More messages than a lane has. */
const MAX = 100_000;

/**
 * One installation on real files and sockets: callers, a sending server and receivers as in the simulated world, before
 * the built program, which is killed again and again. A judge reads the history that they wrote
 * (docs/proof.md#the-real-half).
 */
export async function playLane({ seed, seconds, program }: LaneTask): Promise<LaneOutcome> {
  const folder = realFolder();
  const template = await makeTemplate(join(folder, 'template'), PROFILE.coins, makeDkimKey(), Date.now());
  const fillData = async ({ dataDir, members }: Stage): Promise<Template> => {
    cpSync(template.dir, dataDir, { recursive: true });
    members[0]!.shiftClock(0);
    return template;
  };
  const [hooks = 0] = await freePorts(1);
  let nemesis: Nemesis | null = null;
  const scene = await openScene({ program, seed, progress: () => undefined }, fillData, {
    profile: PROFILE,
    hooks,
    areReportsLate: true,
    ahead: () => nemesis?.furthest ?? 0,
    failures: () => nemesis?.failures ?? 0,
  });
  const { stage, outside } = scene;
  const { lines } = outside.recorder;
  nemesis = new Nemesis(stage, scene.random, outside.recorder);
  const began = Date.now();
  try {
    await play(scene, nemesis, { seed, seconds });
    const file = join(folder, 'history.jsonl');
    writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const { findings, counts } = await judge(readHistory(file));
    return {
      counts,
      faults: nemesis.counts,
      kills: stage.kills,
      passed: stage.now() + nemesis.furthest - began,
      findings: findings.map((finding, n) => ({
        rule: finding.rule,
        subject: finding.subject,
        text: finding.text,
        story: n < TOLD ? tellStory(finding, lines) : '',
      })),
      history: findings.length > 0 ? keptOf(file, seed) : null,
    };
  } finally {
    await closeScene(scene);
  }
}

/** A copy of a history that outlives the folder of its installation. */
function keptOf(file: string, seed: number): string {
  const kept = join(tmpdir(), `kurir-history-${seed}-${process.pid}.jsonl`);
  cpSync(file, kept);
  return kept;
}

/** Lets all act while the program is killed and starved, until everything has come to its end and was read. */
async function play(
  scene: Scene,
  nemesis: Nemesis,
  { seed, seconds }: Pick<LaneTask, 'seed' | 'seconds'>,
): Promise<void> {
  const { stage, outside, senders } = scene;
  const { recorder, ports } = outside;
  const callers = new Callers(outside);
  await stage.mustStart();
  await callers.subscribe(new Receivers(recorder, quick(seed), ports));
  const over = new AbortController();
  const more = { random: new Random(seed, 'real odd'), recorder, port: ports.http, over: over.signal };
  const meanwhile = Promise.all([nemesis.rage(over.signal), sendOddly(senders, more)]);
  const end = performance.now() + seconds * 1_000;
  try {
    while (performance.now() < end) await callers.play();
  } finally {
    over.abort();
    await meanwhile;
  }
  const stuck = await untilFinal(scene);
  await readAll(outside);
  await lookAtPages(outside);
  await stopAndAudit(scene, [...stuck, ...(await attachmentsLeft(scene))]);
}

/** Attachments are kept until their mail is out of hand, and all are. */
async function attachmentsLeft({ stage, senders }: Scene): Promise<string[]> {
  const left: string[] = [];
  await withData(stage.installation, async ({ stores: { messages } }) => {
    for (const { workspaceId } of senders) {
      const { items } = await messages.list(workspaceId, { offset: 0, limit: MAX });
      for (const { id } of items)
        if (((await messages.job(id))?.attachments.length ?? 0) > 0) left.push(`${id} holds attachments`);
    }
  });
  return left;
}

/** Random numbers by which a receiver answers at once: one that does not takes ten real seconds for each event. */
function quick(seed: number): Random {
  for (let n = 0; ; n++) {
    const manner = new Random(seed, `real receiver ${n}`).pick(MANNERS);
    if (manner !== 'slow' && manner !== 'silent') return new Random(seed, `real receiver ${n}`);
  }
}
