import { Worker, type ResourceLimits } from 'node:worker_threads';
import { Slab } from './slab';

/** After so long without a job the thread ends, and gives its memory back. */
const IDLE_MS = 10_000;

export interface JobThreadOptions {
  /** As errors call it: `body worker`. */
  name: string;
  /** The compiled program, which calls `serveJobs`. */
  program: string;
  limits: ResourceLimits;
  /** Called when the thread ends by itself. */
  onGone: (error: Error) => void;
  idleMs?: number | undefined;
}

/** How a job comes back: with its result, or what was thrown. */
type Settled<R> = ({ id: number } & R) | { id: number; failure: string };

interface Pending<R> {
  resolve(result: R): void;
  reject(error: Error): void;
}

/**
 * Runs jobs in a thread, one after the other. It starts with the first job and ends when it was idle. When it fails, the
 * jobs it had reject, and the next one starts another.
 */
export class JobThread<J extends object, R extends object> {
  private worker: Worker | null = null;
  private readonly pending = new Slab<Pending<R>>();
  private idle: NodeJS.Timeout | null = null;

  constructor(private readonly options: JobThreadOptions) {}

  /** The memory in `transfer` goes to the thread, and is unusable here from now on. */
  run(job: J, transfer: readonly ArrayBuffer[]): Promise<R> {
    if (this.idle) clearTimeout(this.idle);
    const worker = (this.worker ??= this.start());
    return new Promise((resolve, reject) => {
      const id = this.pending.insert({ resolve, reject });
      try {
        worker.postMessage({ ...job, id }, transfer);
      } catch (error) {
        this.pending.remove(id);
        throw error;
      }
    });
  }

  /** Ends the thread; jobs that it still had reject. */
  async close(): Promise<void> {
    if (this.idle) clearTimeout(this.idle);
    await this.end(new Error('the service is stopping'));
  }

  private start(): Worker {
    const { program, limits, onGone } = this.options;
    const worker = new Worker(program, { resourceLimits: limits });
    const failed = (error: Error): void => {
      if (this.worker !== worker) return;
      onGone(error);
      void this.end(error);
    };
    worker.on('message', (settled: Settled<R>) => this.settle(settled));
    worker.on('error', failed).on('messageerror', failed);
    worker.on('exit', (code) => failed(new Error(`it stopped with code ${code}`)));
    return worker;
  }

  private settle(settled: Settled<R>): void {
    const pending = this.pending.remove(settled.id);
    if ('failure' in settled) pending?.reject(new Error(settled.failure));
    else pending?.resolve(settled);
    if (this.pending.size > 0) return;
    this.idle = setTimeout(() => void this.end(null), this.options.idleMs ?? IDLE_MS);
    this.idle.unref();
  }

  private async end(error: Error | null): Promise<void> {
    const { worker } = this;
    this.worker = null;
    const why = error?.message ?? 'it was idle';
    const gone = new Error(`The ${this.options.name} has ended: ${why}`, { cause: error });
    for (const [id] of this.pending.entries()) this.pending.remove(id)?.reject(gone);
    await worker?.terminate();
  }
}
