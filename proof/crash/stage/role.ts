import { Child, type ChildOptions } from './child';

/** The calls that a child process serves to its parent: each handler takes one plain value and returns one. */
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

/** The answer that nobody asked for: the process serves calls. */
const READY = 0;

/** Runs in the child process: answers calls, and ends with the parent. */
export function serveRole(handlers: Handlers): void {
  const answer = async ({ id, name, argument }: Call): Promise<Answer> => {
    try {
      return { id, value: await handlers[name]?.(argument as never) };
    } catch (error) {
      return { id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    }
  };
  process.on('message', (call: Call) => void answer(call).then((reply) => process.send?.(reply)));
  process.on('disconnect', () => process.exit());
  process.send?.({ id: READY } satisfies Answer);
}

export interface RoleOptions extends Pick<ChildOptions, 'env' | 'execArgv' | 'output'> {
  /** The built program: started with `--role`, the role and its options, it serves calls. */
  program: string;
  role: string;
  options?: unknown;
}

/** A process of a program in another role, with a core and a heap of its own, which serves calls. */
export class Role<H extends Handlers> extends Child {
  private readonly waiting = new Map<number, Waiter>();
  private calls = 0;
  /** Resolves to true once the process serves calls, to false when it ends before. */
  readonly ready: Promise<boolean>;

  constructor({ program, role, options, ...more }: RoleOptions) {
    const given = options === undefined ? [] : [JSON.stringify(options)];
    super(program, ['--role', role, ...given], { ...more, hasChannel: true });
    this.ready = new Promise((resolve) => {
      this.waiting.set(READY, { resolve: () => resolve(true), reject: () => resolve(false) });
    });
    this.child.on('message', (answer: Answer) => this.settle(answer));
    void this.ended.then(({ code, signal }) => {
      for (const { reject } of this.waiting.values())
        reject(new Error(`The process ${role} ended: ${signal ?? code}.`));
      this.waiting.clear();
    });
  }

  /** Rejects with the error of the handler, or when the process ends without an answer. */
  call<K extends keyof H & string>(name: K, argument: Parameters<H[K]>[0]): Promise<Awaited<ReturnType<H[K]>>> {
    const id = ++this.calls;
    return new Promise((resolve, reject) => {
      if (!this.isAlive) return reject(new Error('The process has ended.'));
      this.waiting.set(id, { resolve, reject });
      this.child.send({ id, name, argument } satisfies Call, (error) => {
        if (error && this.waiting.delete(id)) reject(error);
      });
    });
  }

  /** Lets it end; calls without an answer get none. */
  stop(): void {
    this.waiting.clear();
    if (this.child.connected) this.child.disconnect();
  }

  private settle({ id, value, error }: Answer): void {
    const waiter = this.waiting.get(id);
    this.waiting.delete(id);
    if (error === undefined) waiter?.resolve(value as never);
    else waiter?.reject(new Error(error));
  }
}
