import { createHash, type Hash } from 'node:crypto';
import { Disk, type DiskActs } from './disk';
import { enter, REAL } from './globals';
import { Network, type NetworkProfile } from './network';
import { NeverEnds } from './never-ends';
import { Random, STREAMS, type StreamName } from './random';
import type { Owner } from './schedule';
import { OUTSIDE, Schedule } from './schedule';

/** 2026-03-02 07:00 in Jakarta, ms. */
export const WORLD_START = Date.UTC(2026, 2, 2);

/** How long one event keeps the only processor busy, ms. */
const BUSY = 0.02;
/** More events than this at one time are a program that spins, and in all a run that does not end. */
const SPIN = 20_000;
const MAX_EVENTS = 400_000;

/** What the run makes of the disk's commits, and what hears of faults of the network. */
export type WorldActs = DiskActs & { onFault: (kind: string) => void };

/** A world that belongs to a seed: everything that happens in it follows from the seed. */
export class World {
  readonly random: Readonly<Record<StreamName, Random>>;
  readonly schedule: Schedule;
  readonly network: Network;
  readonly disk: Disk;
  readonly outside = OUTSIDE;
  /** Events so far. */
  events = 0;
  private readonly hash: Hash = createHash('sha256');

  constructor(
    readonly seed: number,
    profile: (random: Random) => { readonly network: NetworkProfile },
    acts: (world: World) => WorldActs,
  ) {
    this.random = Object.fromEntries(STREAMS.map((name) => [name, new Random(seed, name)])) as never;
    this.schedule = new Schedule(WORLD_START, this.random.order);
    const { network } = profile(this.random.profile);
    const { onFault, ...disk } = acts(this);
    this.network = new Network(this.schedule, this.random.network, network, onFault);
    this.disk = new Disk(this.schedule, disk);
  }

  get now(): number {
    return this.schedule.now;
  }

  /** Notes what happened, for the hash of the trace: the same seed gives the same hash. */
  note(text: string): void {
    this.hash.update(`${this.schedule.now.toFixed(3)} ${text}\n`);
  }

  /** The hash of everything noted; nothing can be noted afterwards. */
  trace(): string {
    return this.hash.digest('hex');
  }

  /** Kills an owner: its timers, sockets and files are gone at once. */
  kill(owner: Owner): void {
    this.note(`${owner.name} dies`);
    owner.alive = false;
    this.schedule.forget(owner);
    this.network.bury(owner);
  }

  /**
   * Plays until the work is done. Throws what the work throws, and when nothing can happen any more. `onFall` hears of
   * an error that nothing caught, which would end a process, and whose it is.
   */
  async play<T>(work: () => Promise<T>, onFall: (owner: Owner, error: Error) => void): Promise<T> {
    const leave = [
      enter({ schedule: this.schedule, entry: this.random.entry }),
      this.network.enter(),
      this.disk.enter(),
    ];
    const fall = (error: unknown): void => {
      const { current } = this.schedule;
      if (current.alive) onFall(current, error instanceof Error ? error : new Error(String(error)));
    };
    process.on('uncaughtException', fall).on('unhandledRejection', fall);
    try {
      return await this.run(work);
    } finally {
      process.off('uncaughtException', fall).off('unhandledRejection', fall);
      for (const step of leave.reverse()) step();
      this.schedule.forget(null);
      this.network.end();
    }
  }

  private async run<T>(work: () => Promise<T>): Promise<T> {
    let end: { value: T } | { error: unknown } | null = null;
    const isDone = (): boolean => end !== null;
    this.schedule.current = OUTSIDE;
    work().then(
      (value) => (end = { value }),
      (error: unknown) => (end = { error }),
    );
    let since = this.now;
    let spins = 0;
    while (!isDone()) {
      // What was resolved runs to its end before anything else happens.
      await settled();
      if (isDone()) break;
      this.schedule.current = OUTSIDE;
      const next = this.schedule.take();
      if (!next) throw new Error('Nothing can happen any more, and the work has not ended.');
      this.events += 1;
      spins = this.now - since > 1 ? 0 : spins + 1;
      if (spins === 0) since = this.now;
      if (this.events > MAX_EVENTS) throw new NeverEnds(`The run does not end: ${next.name} of ${next.owner.name}.`);
      if (spins > SPIN) throw new NeverEnds(`The program spins: ${next.name} of ${next.owner.name}.`);
      this.hash.update(`${next.at.toFixed(3)} ${next.owner.name} ${next.name}\n`);
      this.schedule.spend(BUSY);
      next.run?.();
    }
    const result = end as unknown as { value: T } | { error: unknown };
    if ('error' in result) throw result.error;
    return result.value;
  }
}

/** Resolves once microtasks and ticks have run. */
const settled = (): Promise<void> => new Promise((resolve) => REAL.setImmediate(resolve));
