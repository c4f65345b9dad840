import { fork, type ChildProcess } from 'node:child_process';
import type { Outcome, Task } from './play';

/** Room for young objects in each worker, MB: a seed makes many that die at once. */
const SEMI_SPACE = 64;

/**
 * Seeds that a worker plays before another takes its place: what a dead program held is never let go by Node, whose
 * parsers and signals wait for an end that does not come.
 */
const SEEDS_EACH = 25;

/** Processes that play seeds. */
export class Team {
  private readonly workers = new Set<ChildProcess>();

  /** `program`: the built program of the proof. */
  constructor(
    private readonly program: string,
    private readonly size: number,
  ) {}

  /** Plays what `next` hands out until it hands out null. `done` gets every outcome; rejects if a worker ends. */
  async play(next: () => Task | null, done: (outcome: Outcome, task: Task) => void): Promise<void> {
    const lane = async (): Promise<void> => {
      for (let first = next(); first; first = next()) {
        let left = SEEDS_EACH;
        let task: Task | null = first;
        const hand = (): Task | null => {
          const handed = task ?? (left > 0 ? next() : null);
          task = null;
          left -= 1;
          return handed;
        };
        const worker = this.fork();
        await serve(worker, hand, done);
        this.workers.delete(worker);
        worker.disconnect();
      }
    };
    await Promise.all(Array.from({ length: this.size }, lane));
  }

  private fork(): ChildProcess {
    const execArgv = [`--max-semi-space-size=${SEMI_SPACE}`];
    const worker = fork(this.program, ['--worker'], { execArgv, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    this.workers.add(worker);
    return worker;
  }

  close(): void {
    for (const worker of this.workers) worker.disconnect();
  }
}

function serve(
  worker: ChildProcess,
  next: () => Task | null,
  done: (outcome: Outcome, task: Task) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let task: Task | null = null;
    const end = (error?: Error): void => {
      worker.removeAllListeners();
      worker.on('error', () => undefined);
      if (error) reject(error);
      else resolve();
    };
    const hand = (): void => {
      task = next();
      if (task) worker.send(task);
      else end();
    };
    worker.on('message', (outcome: Outcome) => {
      if (task) done(outcome, task);
      hand();
    });
    worker.on('error', end);
    worker.on('exit', (code, signal) => end(new Error(`A worker of the proof ended: ${signal ?? code}.`)));
    hand();
  });
}
