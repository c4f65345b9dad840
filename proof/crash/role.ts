import { type ChildProcess, fork } from 'node:child_process';

/** The calls a child process serves to its parent: each handler takes one plain value and returns one. */
export type Handlers = Record<string, (argument: never) => unknown>;

interface Call {
  id: number;
  name: string;
  argument: unknown;
}
type Answer = { id: number; value?: unknown; error?: string };
interface Waiter {
  resolve: (value: never) => void;
  reject: (error: Error) => void;
}

/** Runs in the child process: answers calls, and ends with the parent. */
export function serveRole(handlers: Handlers): void {
  process.on('message', ({ id, name, argument }: Call) => {
    void Promise.resolve()
      .then(() => handlers[name]?.(argument as never))
      .then(
        (value): Answer => ({ id, value }),
        (error: unknown): Answer => ({
          id,
          error: error instanceof Error ? (error.stack ?? error.message) : String(error),
        }),
      )
      .then((answer) => process.send?.(answer));
  });
  process.on('disconnect', () => process.exit());
  process.send?.({ id: 0 } satisfies Answer);
}

export interface RoleOptions {
  /** The built program. */
  program: string;
  role: string;
  /** Passed to the role at start. */
  options: unknown;
  env?: Record<string, string>;
  /** Receives stdout and stderr: a file descriptor, open for appending. */
  log: number;
  /** Options of Node. */
  execArgv?: readonly string[];
}

/** How a process ended. */
export interface End {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A process of this program in another role. */
export class Role<H extends Handlers> {
  private readonly child: ChildProcess;
  private readonly waiting = new Map<number, Waiter>();
  private calls = 0;
  /** Resolves when the process has ended. */
  readonly ended: Promise<End>;
  /** Resolves to true once the process serves calls, to false when it ends before. */
  readonly ready: Promise<boolean>;

  constructor({ program, role, options, env = {}, log, execArgv = [] }: RoleOptions) {
    this.child = fork(program, ['--role', role, JSON.stringify(options)], {
      env,
      execArgv: [...execArgv],
      stdio: ['ignore', log, log, 'ipc'],
    });
    this.ended = new Promise((resolve) => {
      this.child.once('exit', (code, signal) => {
        for (const { reject } of this.waiting.values()) reject(new Error(`The process ${role} ended.`));
        this.waiting.clear();
        resolve({ code, signal });
      });
    });
    this.ready = new Promise((resolve) => {
      this.waiting.set(0, { resolve: () => resolve(true), reject: () => resolve(false) });
    });
    this.child.on('message', (answer: Answer) => this.settle(answer));
    this.child.on('error', () => undefined);
  }

  get alive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** Rejects with the error of the handler, or when the process ends without an answer. */
  call<K extends keyof H & string>(name: K, argument: Parameters<H[K]>[0]): Promise<Awaited<ReturnType<H[K]>>> {
    const id = ++this.calls;
    return new Promise((resolve, reject) => {
      if (!this.alive) return reject(new Error('The process has ended.'));
      this.waiting.set(id, { resolve, reject });
      this.child.send({ id, name, argument } satisfies Call, (error) => {
        if (error && this.waiting.delete(id)) reject(error);
      });
    });
  }

  /** Sends SIGKILL, unless the process has ended. */
  async kill(): Promise<End> {
    if (this.alive) this.child.kill('SIGKILL');
    return this.ended;
  }

  /** Sends SIGTERM. */
  async terminate(): Promise<End> {
    if (this.alive) this.child.kill('SIGTERM');
    return this.ended;
  }

  private settle({ id, value, error }: Answer): void {
    const waiter = this.waiting.get(id);
    this.waiting.delete(id);
    if (error === undefined) waiter?.resolve(value as never);
    else waiter?.reject(new Error(error));
  }
}
