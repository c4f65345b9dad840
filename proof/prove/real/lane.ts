import { cpSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HOUR, MINUTE } from '../../../lib/clock';
import { sleep } from '../../../lib/sleep';
import { auditData } from '../../crash/audit-data';
import { freePorts } from '../../crash/free-ports';
import { withData } from '../../crash/installation';
import { Stage } from '../../crash/stage/stage';
import { workOff } from '../../crash/stage/work-off';
import { judge } from '../../judge/judge';
import { readHistory } from '../../judge/read-history';
import { tellStory } from '../../judge/tell-story';
import type { Counts } from '../../judge/counts';
import { Callers } from '../../world/callers';
import { leftIn } from '../../world/left';
import { Outside } from '../../world/outside';
import type { Profile } from '../../world/profile';
import type { Ports } from '../../world/program';
import { readAll } from '../../world/exports';
import { Random } from '../../world/random';
import { MANNERS, Receivers } from '../../world/receivers';
import { Recorder } from '../../world/recorder';
import { SendingServer } from '../../world/sending-server';
import { makeDkimKey, makeTemplate, SECRET, type Template } from '../../world/template';
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
  ...{ callers: 8, operations: 16, pause: 400, coins: [400, 5_000], hooks: 1, doubled: 0.2 },
  kinds: KINDS.filter((kind) => !SLOW.includes(kind)),
  // Network and faults are real here.
  ...{ network: { latency: 0, reset: 0, refuse: 0 }, longest: 0, commit: 0, down: 0 },
  faults: { kill: 0, power: 0, error: 0, refusal: 0, slow: 0, freeze: 0, clock: 0 },
  parts: { relay: false, campaigns: false, journeys: false, forms: false, sales: false },
  ...{ focus: null, overdue: 0 },
};
/** Real time for all to become final, ms. */
const PATIENCE = 120_000;
const JUMPS = [MINUTE, HOUR, 6 * HOUR];
const TOLD = 3;
/** More messages than a lane has. */
const MOST = 100_000;

/**
 * One installation on real files and sockets: callers, a sending server and receivers as in the simulated world, before
 * the built program, which is killed again and again. A judge reads the history that they wrote
 * (docs/proof.md#the-real-half).
 */
export async function playLane({ seed, seconds, program }: LaneTask): Promise<LaneOutcome> {
  const folder = realFolder();
  const lane = await Lane.open({ seed, program, folder });
  try {
    await lane.play(seconds);
    const file = join(folder, 'history.jsonl');
    writeFileSync(file, lane.recorder.lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const { findings, counts } = await judge(readHistory(file));
    return {
      counts,
      ...{ faults: lane.nemesis.counts, kills: lane.kills, passed: lane.passed },
      findings: findings.map((finding, n) => ({
        ...{ rule: finding.rule, subject: finding.subject, text: finding.text },
        story: n < TOLD ? tellStory(finding, lane.recorder.lines) : '',
      })),
      history: findings.length > 0 ? keptOf(file, seed) : null,
    };
  } finally {
    await lane.close();
  }
}

/** A copy of a history that outlives the folder of its installation. */
function keptOf(file: string, seed: number): string {
  const kept = join(tmpdir(), `kurir-history-${seed}-${process.pid}.jsonl`);
  cpSync(file, kept);
  return kept;
}

class Lane {
  readonly recorder: Recorder;
  readonly nemesis: Nemesis;
  private readonly server: SendingServer;
  private readonly outside: Outside;
  private readonly callers: Callers;
  private readonly random: (name: string) => Random;
  private readonly began = Date.now();

  private constructor(
    seed: number,
    private readonly stage: Stage,
    private readonly template: Template,
    private readonly ports: Ports,
  ) {
    this.random = (name) => new Random(seed, `real ${name}`);
    this.recorder = new Recorder(() => this.now());
    this.nemesis = new Nemesis(stage, this.random('faults'), this.recorder);
    this.server = new SendingServer(this.recorder, this.random('network'), PROFILE, ports, (ms) => this.wait(ms));
    const failures = (): number => this.nemesis.failures;
    const { recorder, server } = this;
    this.outside = new Outside({
      ...{ template, recorder, server, ports, failures },
      ...{ profile: PROFILE, random: this.random('load') },
    });
    this.callers = new Callers(this.outside);
    this.callers.tellFacts();
  }

  static async open({ seed, program, folder }: { seed: number; program: string; folder: string }): Promise<Lane> {
    const template = await makeTemplate(join(folder, 'template'), PROFILE.coins, makeDkimKey(), Date.now());
    const [mta = 0, hooks = 0] = await freePorts(2);
    // Its reports wait by the time of the program: that goes on while they do.
    const server = { port: mta, pending: 0 };
    const stage = await Stage.open({ program, server, env: { KURIR_SECRET: SECRET } });
    const http = stage.httpPorts[0]!;
    const ports = { http, mta, hooks, bounce: stage.bouncePorts[0]!, smtp: 0, smtps: stage.smtpsPort };
    cpSync(template.dir, stage.dataDir, { recursive: true });
    stage.members[0]!.shiftClock(0);
    return new Lane(seed, stage, template, ports);
  }

  get kills(): number {
    return this.stage.kills;
  }

  get passed(): number {
    return this.now() - this.began;
  }

  async play(seconds: number): Promise<void> {
    const { stage, callers } = this;
    this.server.listen();
    await stage.mustStart();
    await callers.subscribe(new Receivers(this.recorder, this.quick(), this.ports));
    const over = new AbortController();
    const more = { random: this.random('odd'), recorder: this.recorder, port: this.ports.http, over: over.signal };
    const meanwhile = Promise.all([this.nemesis.rage(over.signal), sendOddly(this.template.accounts, more)]);
    const end = performance.now() + seconds * 1_000;
    try {
      while (performance.now() < end) await callers.play();
    } finally {
      over.abort();
      await meanwhile;
    }
    await this.workOff();
    await readAll(this.outside);
    const unclean = await stage.stop();
    const act = this.recorder.begin('operator', 'audit', {});
    const differences = [...unclean, ...(await this.attachmentsLeft()), ...(await auditData(stage.installation))];
    act.ok({ differences });
  }

  async close(): Promise<void> {
    await this.stage.close();
  }

  /** The time of the program, ms. */
  private now(): number {
    return this.stage.now() + this.nemesis.furthest;
  }

  /** Waits by the time of the program. */
  private async wait(ms: number): Promise<void> {
    for (const end = this.now() + ms; this.now() < end;) await sleep(20);
  }

  /** Attachments are kept until their mail is out of hand, and all are. */
  private async attachmentsLeft(): Promise<string[]> {
    const left: string[] = [];
    await withData(this.stage.installation, async ({ stores: { messages } }) => {
      for (const { workspaceId } of this.template.accounts) {
        const { items } = await messages.list(workspaceId, { offset: 0, limit: MOST });
        for (const { id } of items)
          if (((await messages.job(id))?.attachments.length ?? 0) > 0) left.push(`${id} holds attachments`);
      }
    });
    return left;
  }

  /** Random numbers by which a receiver answers at once: one that does not takes ten real seconds for each event. */
  private quick(): Random {
    for (let n = 0; ; n++) {
      const manner = this.random(`receiver ${n}`).pick(MANNERS);
      if (manner !== 'slow' && manner !== 'silent') return this.random(`receiver ${n}`);
    }
  }

  /** Moves time on while nothing works, until every message is final and nothing waits. */
  private async workOff(): Promise<void> {
    const order = this.random('order');
    const jump = (): number => order.pick(JUMPS);
    await withData(this.stage.installation, async ({ stores }) => {
      const left = async (): Promise<string> => {
        const { pending } = this.server;
        return pending > 0 ? `${pending} reports wait` : leftIn(stores);
      };
      await workOff(this.stage, left, jump, { patience: PATIENCE });
    });
  }
}
