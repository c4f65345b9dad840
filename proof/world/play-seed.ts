import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { runAudit } from '../../operations/audit/run-audit';
import type { Kurir } from '../../app/kurir';
import { HOUR, MINUTE } from '../../lib/clock';
import { sleep } from '../../lib/sleep';
import { openAuditSource } from '../../stores/embedded/audit/audit-source';
import type { Engine } from '../../stores/ports/engine';
import { faultyEngine } from '../../stores/wrappers/faulty-engine';
import type { Line } from '../judge/history';
import { Callers } from './callers';
import { ClusterStores } from './cluster-stores';
import { DrawnFaults, type FaultCounts } from './drawn-faults';
import { drawProfile, type Profile, type Trim } from './profile';
import { embeddedLogView } from './embedded-log-view';
import { Outside } from './actors';
import { NeverEnds } from './never-ends';
import { lookAtPages } from './own-pages';
import { PORTS, Program } from './program';
import { readAll } from './exports';
import { leftOf } from './unfinished-work';
import { Receivers } from './receivers';
import { Recorder } from './recorder';
import { SendingServer } from './sending-server';
import type { EngineName, Template } from './template';
import type { Owner } from './schedule';
import { Waits } from './waits';
import { World, WORLD_START } from './world';

export interface SeedOptions {
  seed: number;
  trim: Trim;
  /** The folder of this seed, deleted in the end. */
  folder: string;
  engine: EngineName;
  template: (coins: Profile['coins'], engine: EngineName) => Promise<Template>;
  log?: (line: string) => void;
}

/** What came of one seed. */
export interface Played {
  seed: number;
  history: readonly Line[];
  profile: Profile;
  faults: FaultCounts;
  /** SHA-256 of everything that happened, in order. */
  trace: string;
  events: number;
  /** Time of the world that passed, ms. */
  simulated: number;
  lives: number;
}

/** Lives after which it is not started any more: one that cannot start dies at once. */
const MAX_LIVES = 200;
/** Time of the world, ms, within which the service must have ended all its work. */
const PATIENCE = 30 * MINUTE;
/** Steps of time after which nothing goes wrong any more. */
const CALM_AFTER = 20;
/** Steps between two looks at what is left. */
const LOOK_EVERY = 5;
/** Time between two steps, ms. */
const SETTLING = 50;
/** The same while the service works, ms. */
const BUSY = 450;
/** The same after a call that failed: a reader of the log, and the sweeper in the end, try again by then, ms. */
const RETRY = 1_500;
/** How far time moves at most in a step, ms. */
const JUMPS = [MINUTE, HOUR, 6 * HOUR];

/** Plays one seed: the same seed gives the same history and the same trace. */
export async function playSeed({ seed, trim, folder, engine, template: make, log }: SeedOptions): Promise<Played> {
  const stage = new SeedStage(seed, trim);
  const template = await make(stage.profile.coins, engine);
  try {
    await stage.play(template, folder, log);
    return stage.result();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

class SeedStage {
  readonly profile: Profile;
  private readonly world: World;
  private readonly faults: DrawnFaults;
  private readonly recorder: Recorder;
  private readonly server: SendingServer;
  private readonly waits: Waits;
  private program: Program | null = null;
  /** Null: the embedded engine. */
  private cluster: ClusterStores | null = null;
  /** What went wrong in the proof itself. */
  private fault: Error | null = null;

  constructor(
    private readonly seed: number,
    trim: Trim,
  ) {
    let profile!: Profile;
    this.world = new World(
      seed,
      (random) => (profile = drawProfile(random, trim)),
      (world) => ({
        beforeCommit: () => this.atCommit('before'),
        afterCommit: () => this.atCommit('after'),
        commitTime: () => world.random.faults.between(0, profile.commit),
        onFault: (kind) => this.onFault(kind),
      }),
    );
    this.profile = profile;
    this.faults = new DrawnFaults(this.world, profile, {
      die: () => this.program?.die(),
      onFault: (kind, behind) => this.onFault(kind, behind),
    });
    const note = (line: { process: string; type: string; f: string }): void =>
      this.world.note(`${line.process} ${line.type} ${line.f}`);
    this.recorder = new Recorder(() => this.time(), note);
    this.waits = new Waits(this.world.schedule, () => this.time());
    const wait = (ms: number): Promise<void> => this.waits.wait(ms);
    this.server = new SendingServer(this.recorder, this.world.random.network, profile, PORTS, wait);
  }

  result(): Played {
    if (this.fault) throw this.fault;
    const { seed, profile, world } = this;
    return {
      seed,
      profile,
      faults: this.faults.counts,
      trace: world.trace(),
      events: world.events,
      history: this.recorder.lines,
      simulated: this.time() - WORLD_START,
      lives: (this.program?.lives ?? 0) + 1,
    };
  }

  async play(template: Template, folder: string, log?: (line: string) => void): Promise<void> {
    const { world, recorder, profile } = this;
    const { replicaSet } = template;
    this.cluster = replicaSet && new ClusterStores(replicaSet.copy(), world, this.faults, profile);
    const stored = (engine: Engine): Engine => this.cluster?.over(engine, program.lifeClock) ?? engine;
    const wrap = { engine: (engine: Engine) => faultyEngine(stored(engine), this.faults) };
    const program: Program = new Program(world, {
      folder: join(folder, 'data'),
      template: template.dir,
      wrap,
      onDeath: (how) => this.onDeath(how),
      power: () => world.random.faults.chance(profile.faults.power),
      ...(log && { log }),
    });
    this.program = program;
    const failures = (): number => this.faults.failures;
    const random = world.random.load;
    const outside = new Outside({ template, profile, recorder, failures, server: this.server, random, ports: PORTS });
    const callers = new Callers(outside);
    callers.tellFacts();
    await world.play(
      async () => {
        this.server.listen();
        this.faults.isOn = false;
        if (!(await program.start())) throw new Error('The program did not start.');
        await callers.subscribe(new Receivers(recorder, world.random.network, PORTS));
        this.faults.isOn = true;
        await callers.play();
        await this.workOff(program, callers);
        await readAll(outside);
        await lookAtPages(outside);
        await program.stop();
        await this.audit(program);
      },
      (owner, error) => this.onFall(owner, error),
    );
  }

  /** An uncaught error ends the program, as it ends a process; around the program it is a fault of the proof. */
  private onFall(owner: Owner, error: Error): void {
    if (owner === this.world.outside) return void (this.fault ??= error);
    this.onFault(`fell: ${error.stack ?? error.message}`);
    this.program?.die();
  }

  /** The time of the program, ms. */
  private time(): number {
    return Math.floor(this.world.now) + (this.program?.ahead ?? 0);
  }

  /** The history knows of everything that can hide an answer. */
  private onFault(kind: string, behind?: number): void {
    this.recorder.begin('nemesis', 'fault', { kind, ...(behind !== undefined && { behind }) });
  }

  private onDeath(how: string): void {
    const { world } = this;
    this.onFault(how);
    const down = this.faults.isOn ? world.random.faults.between(0, this.profile.down) : 0;
    world.schedule.after(down, 'restart', () => void this.restart(), world.outside);
  }

  private async restart(): Promise<void> {
    this.onFault('start');
    if ((this.program?.lives ?? 0) > MAX_LIVES) {
      this.fault ??= new NeverEnds(`The program has died ${MAX_LIVES} times.`);
      return;
    }
    try {
      await this.program?.start();
    } catch (error) {
      // As after any exit, the supervisor starts it again.
      this.faults.count(`start failed: ${(error as Error).message}`);
      this.program?.die();
    }
  }

  /** At a commit the disk may refuse, or the program may die. */
  private atCommit(when: 'before' | 'after'): void {
    if (!this.faults.isOn || !this.program?.isStarted) return;
    const { random } = this.world;
    const { refusal } = this.profile.faults;
    if (random.faults.chance(this.faults.kill)) {
      this.faults.die(`kill ${when} commit`);
      throw new Error('The process has ended.');
    }
    if (when === 'before' && random.faults.chance(refusal)) {
      this.faults.happen('refused commit', 'disk');
      // SQLITE_FULL
      throw Object.assign(new Error('database or disk is full'), { errcode: 13 });
    }
  }

  /** From now on nothing goes wrong any more. */
  private calm(): void {
    this.faults.isOn = false;
    this.faults.setClock(0);
    this.world.network.calm();
  }

  /** Lets time pass until every message is final and nothing waits, without faults in the end. */
  private async workOff(program: Program, callers: Callers): Promise<void> {
    const end = this.world.now + PATIENCE;
    let failed = 0;
    for (let step = 0; this.world.now < end; step++) {
      if (step === CALM_AFTER) this.calm();
      await sleep(SETTLING + program.frozenFor);
      if (step < CALM_AFTER) await callers.late();
      else if (step % LOOK_EVERY === 0) await callers.goOn();
      const { running } = program;
      // Time moves only while nobody works, as in a world where all of that takes its time.
      if (!running?.services.activity.isQuiet) {
        await sleep(BUSY);
        continue;
      }
      const isEnd = step > CALM_AFTER;
      if (failed !== this.faults.failures || (isEnd && this.cluster?.hasUnpublished)) {
        failed = this.faults.failures;
        await sleep(RETRY);
        continue;
      }
      const far = await this.jump(program, running, isEnd);
      if (far === null) return;
      await program.advance(Math.max(0, Math.ceil(far)));
      this.waits.moved();
    }
    const { running } = program;
    const left = running ? (await program.inside(() => leftOf(running.services.engine)))?.what : 'it is not up';
    throw new NeverEnds(`Not everything became final: ${left}, ${this.server.pending} reports`);
  }

  /** How far time moves now, ms; null when everything is done, which is only asked in the end. */
  private async jump(program: Program, running: Kurir, isEnd: boolean): Promise<number | null> {
    const drawn = this.world.random.order.pick(JUMPS);
    const [due, awaited] = [program.nextDue(), this.waits.nextDue()];
    if (!isEnd) return Math.min(due, awaited, drawn);
    const left = due > MINUTE ? await program.inside(() => leftOf(running.services.engine)) : null;
    if (left?.what === '' && this.server.pending === 0) return null;
    // A jump that would reach nothing is longer, and others reach several things at once.
    const least = Math.min(awaited, (left?.due ?? Infinity) - this.time());
    return Math.min(due, least < Infinity ? Math.max(drawn, least) : drawn);
  }

  private async audit(program: Program): Promise<void> {
    const act = this.recorder.begin('operator', 'audit', {});
    const file = join(program.dataDir, 'kurir.sqlite');
    const source = (await this.cluster?.audit(embeddedLogView(file))) ?? openAuditSource(file);
    const differences: string[] = [];
    const onDifference = (found: { rule: string; subject: string; expected: unknown; found: unknown }): void =>
      void differences.push(`${found.rule}: ${found.subject}: ${String(found.found)}, not ${String(found.expected)}`);
    await runAudit(source, { onDifference, patience: 0 });
    await source.close();
    act.ok({ differences });
  }
}
