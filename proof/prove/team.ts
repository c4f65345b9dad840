import { Role } from '../crash/stage/role';
import { processUsage } from '../crash/process-usage';
import { neverEnding, unplayed, type Outcome, type Task } from './play';

/** Room for young objects in each worker, MB: a seed makes many that die at once. */
const SEMI_SPACE = 64;
/** How often a worker is looked at, ms. */
const LOOK = 500;
/** What uses no processor time for so long waits for something that never comes, ms. */
const STILL = 600_000;

/** What a worker serves. */
export type WorkerHandlers = { play: (task: Task) => Promise<Outcome> };

interface TeamOptions {
  /** The built program of the proof. */
  program: string;
  size: number;
  /** Processor time of one seed after which it is taken for one that never ends, seconds. */
  limit: number;
}

/** Processes that play seeds. One that never ends its seed, or dies of it, is replaced. */
export class Team {
  /** Those that have no seed. */
  private readonly idle: Role<WorkerHandlers>[] = [];
  private isClosed = false;

  constructor(private readonly options: TeamOptions) {}

  /** Plays what `next` hands out until it hands out null. `done` gets every outcome. */
  async play(next: () => Task | null, done: (outcome: Outcome, task: Task) => void): Promise<void> {
    const work = async (): Promise<void> => {
      for (let task = next(); task; task = next()) done(await this.playOne(task), task);
    };
    await Promise.all(Array.from({ length: this.options.size }, work));
  }

  /** Plays one seed; never rejects. */
  async playOne(task: Task): Promise<Outcome> {
    const worker = this.idle.pop() ?? this.hire();
    const outcome = await this.watched(worker, task);
    if (this.isClosed) worker.stop();
    else if (worker.isAlive) this.idle.push(worker);
    return outcome;
  }

  close(): void {
    this.isClosed = true;
    for (const worker of this.idle.splice(0)) worker.stop();
  }

  private hire(): Role<WorkerHandlers> {
    const execArgv = [`--max-semi-space-size=${SEMI_SPACE}`];
    return new Role({ program: this.options.program, role: 'worker', execArgv, output: 'inherit' });
  }

  /** A seed that keeps its worker busy too long is a finding, and its worker is ended: it cannot do so itself. */
  private async watched(worker: Role<WorkerHandlers>, task: Task): Promise<Outcome> {
    const { limit } = this.options;
    const watch = new Watch(worker.pid, limit);
    const timer = setInterval(() => watch.look() && void worker.kill(), LOOK);
    try {
      return await worker.call('play', task);
    } catch (error) {
      const { why } = watch;
      return why === null ? unplayed(task.seed, String(error)) : neverEnding(task.seed, `It was ended: ${why}.`);
    } finally {
      clearInterval(timer);
    }
  }
}

/** The processor time of a worker during one seed: on a busy machine real time says nothing. */
class Watch {
  private readonly from: number;
  private used = 0;
  private movedAt = performance.now();
  /** Why the seed never ends, or null as long as it may. */
  why: string | null = null;

  constructor(
    private readonly pid: number,
    /** seconds */
    private readonly limit: number,
  ) {
    this.from = cpuSeconds(pid);
  }

  /** True once the seed has to be ended. */
  look(): boolean {
    const used = cpuSeconds(this.pid) - this.from;
    const now = performance.now();
    if (used > this.used) [this.used, this.movedAt] = [used, now];
    if (used > this.limit) this.why = `it had not ended after ${this.limit} s of processor time`;
    else if (now > this.movedAt + STILL) this.why = `it did nothing for ${STILL / 1_000} s, and had not ended`;
    return this.why !== null;
  }
}

/** Where the system does not tell, all of the time counts. */
const cpuSeconds = (pid: number): number => processUsage(pid)?.cpuSeconds ?? performance.now() / 1_000;
