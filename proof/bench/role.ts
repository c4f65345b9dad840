import { type ChildProcess, fork } from 'node:child_process';

/** The calls a helper process serves: each handler takes one plain value and returns one. */
export type Handlers = Record<string, (argument: never) => unknown>;

interface Call {
  id: number;
  name: string;
  argument: unknown;
}
interface Answer {
  id: number;
  value?: unknown;
  error?: string;
}
interface Waiter {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** Runs in a helper process: answers calls, and ends with the parent. */
export function serveRole(handlers: Handlers): void {
  const answer = async ({ id, name, argument }: Call): Promise<Answer> => {
    try {
      return { id, value: await handlers[name]?.(argument as never) };
    } catch (error) {
      return { id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    }
  };
  process.on('message', (call: Call) => {
    void answer(call).then((reply) => process.send?.(reply));
  });
  process.on('disconnect', () => process.exit());
}

/** A helper process: this program started again with `--role <role>`, so that it has its own core and heap. */
export class RoleProcess<H extends Handlers> {
  private readonly child: ChildProcess;
  private readonly waiting = new Map<number, Waiter>();
  private calls = 0;

  constructor(role: string) {
    this.child = fork(__filename, ['--role', role], { serialization: 'advanced' });
    this.child.on('message', (answer: Answer) => this.settle(answer));
    this.child.on('exit', () => this.fail(new Error(`The helper process ${role} ended.`)));
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** Rejects with the helper's error, or when it ends without an answer. */
  call<K extends keyof H & string>(name: K, argument: Parameters<H[K]>[0]): Promise<Awaited<ReturnType<H[K]>>> {
    const id = ++this.calls;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.child.send({ id, name, argument } satisfies Call);
    });
  }

  /** Ends the helper; open calls are not answered. */
  stop(): void {
    this.waiting.clear();
    if (this.child.connected) this.child.disconnect();
  }

  private settle({ id, value, error }: Answer): void {
    const waiter = this.waiting.get(id);
    this.waiting.delete(id);
    if (error === undefined) waiter?.resolve(value);
    else waiter?.reject(new Error(error));
  }

  private fail(error: Error): void {
    for (const waiter of this.waiting.values()) waiter.reject(error);
    this.waiting.clear();
  }
}
