import { fork, type ChildProcess } from 'node:child_process';
import type { Outcome, Task } from './play';

/** Room for young objects in each worker, MB: a seed makes many that die at once. */
const SEMI_SPACE = 64;

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
    await Promise.all(Array.from({ length: this.size }, () => serve(this.fork(), next, done)));
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
