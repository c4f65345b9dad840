import { Role } from '../crash/stage/role';
import type { Outcome, Task } from './play';

/** Room for young objects in each worker, MB: a seed makes many that die at once. */
const SEMI_SPACE = 64;

/** What a worker serves. */
export type WorkerHandlers = { play: (task: Task) => Promise<Outcome> };

/** Processes that play seeds. */
export class Team {
  private readonly workers: Role<WorkerHandlers>[];

  /** `program`: the built program of the proof. */
  constructor(program: string, size: number) {
    const execArgv = [`--max-semi-space-size=${SEMI_SPACE}`];
    this.workers = Array.from(
      { length: size },
      () => new Role({ program, role: 'worker', execArgv, output: 'inherit' }),
    );
  }

  /** Plays what `next` hands out until it hands out null. `done` gets every outcome; rejects if a worker ends. */
  async play(next: () => Task | null, done: (outcome: Outcome, task: Task) => void): Promise<void> {
    const work = async (worker: Role<WorkerHandlers>): Promise<void> => {
      for (let task = next(); task; task = next()) done(await worker.call('play', task), task);
    };
    await Promise.all(this.workers.map(work));
  }

  close(): void {
    for (const worker of this.workers) worker.stop();
  }
}
