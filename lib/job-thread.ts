import { Worker, type ResourceLimits } from 'node:worker_threads';

/** After so long without a job the thread ends, and gives its memory back. */
const IDLE_MS = 10_000;

export interface JobThreadOptions {
  /** As errors call it: `body worker`. */
  name: string;
  /** The compiled program, which calls `serveJobs`. */
  program: string;
  limits: ResourceLimits;
  /** Called when the thread ends by itself, or is ended because a job took too long. */
  onGone: (error: Error) => void;
  /** What the program finds as its `workerData`. */
  data?: unknown;
  /** The longest that a job may take, ms of real time; default: no limit. */
  budgetMs?: number | undefined;
  idleMs?: number | undefined;
}

/** How a job comes back: with its result, or what was thrown. */
type Settled<R> = ({ id: number } & R) | { id: number; failure: string };

interface Pending<J, R> {
  /** Null when its memory was transferred: it cannot be run again. */
  job: J | null;
  resolve: (result: R) => void;
  reject: (error: Error) => void;
}

/**
 * Runs jobs in a thread, one after the other. It starts with the first job and ends when it was idle. When it fails, or
 * a job takes too long, the job that was running rejects, and so do those whose memory was transferred; the others run
 * in a new thread.
 */
export class JobThread<J extends object, R extends object> {
  private worker: Worker | null = null;
  /** In the order they run: the first one is running. */
  private readonly pending = new Map<number, Pending<J, R>>();
  private last = 0;
  private isOnline = false;
  private idle: NodeJS.Timeout | null = null;
  private budget: NodeJS.Timeout | null = null;

  constructor(private readonly options: JobThreadOptions) {}

  /** The memory in `transfer` goes to the thread, and is unusable here from now on. */
  run(job: J, transfer: readonly ArrayBuffer[] = []): Promise<R> {
    if (this.idle) clearTimeout(this.idle);
    const worker = (this.worker ??= this.start());
    return new Promise((resolve, reject) => {
      const id = (this.last += 1);
      worker.postMessage({ ...job, id }, transfer);
      this.pending.set(id, { job: transfer.length === 0 ? job : null, resolve, reject });
      if (this.pending.size === 1) this.limitFirst();
    });
  }

  /** Ends the thread; jobs that it still had reject. */
  async close(): Promise<void> {
    if (this.idle) clearTimeout(this.idle);
    const ending = this.end();
    this.rejectAll(new Error('the service is stopping'));
    await ending;
  }

  private start(): Worker {
    const { program, limits, data } = this.options;
    const worker = new Worker(program, { resourceLimits: limits, workerData: data });
    this.isOnline = false;
    worker.on('online', () => {
      if (this.worker !== worker) return;
      this.isOnline = true;
      this.limitFirst();
    });
    const failed = (error: Error): void => {
      if (this.worker === worker) this.replace(error);
    };
    worker.on('message', (settled: Settled<R>) => {
      if (this.worker === worker) this.settle(settled);
    });
    worker.on('error', failed).on('messageerror', failed);
    worker.on('exit', (code) => failed(new Error(`it stopped with code ${code}`)));
    return worker;
  }

  private settle(settled: Settled<R>): void {
    const pending = this.pending.get(settled.id);
    this.pending.delete(settled.id);
    if ('failure' in settled) pending?.reject(new Error(settled.failure));
    else pending?.resolve(settled);
    this.limitFirst();
    if (this.pending.size > 0) return;
    this.idle = setTimeout(() => void this.end(), this.options.idleMs ?? IDLE_MS);
    this.idle.unref();
  }

  /** The time of the first job begins; while the thread starts, it does not. */
  private limitFirst(): void {
    if (this.budget) clearTimeout(this.budget);
    this.budget = null;
    const { budgetMs } = this.options;
    const [first] = this.pending.keys();
    if (budgetMs === undefined || first === undefined || !this.isOnline) return;
    // After the timers: its answer may have come while this thread was busy.
    const overrun = (): NodeJS.Immediate => setImmediate(() => this.endOverrun(first, budgetMs));
    this.budget = setTimeout(overrun, budgetMs);
  }

  private endOverrun(id: number, budgetMs: number): void {
    if (this.pending.keys().next().value === id) this.replace(new Error(`a job took longer than ${budgetMs} ms`));
  }

  /** Ends the thread, and has a new one run the jobs that came after the first and can run again. */
  private replace(error: Error): void {
    this.options.onGone(error);
    void this.end();
    const [first, ...others] = [...this.pending.values()];
    this.pending.clear();
    const gone = this.gone(error);
    first?.reject(gone);
    for (const other of others) {
      if (other.job) void this.run(other.job).then(other.resolve, other.reject);
      else other.reject(gone);
    }
  }

  private async end(): Promise<void> {
    if (this.budget) clearTimeout(this.budget);
    const { worker } = this;
    this.worker = null;
    await worker?.terminate();
  }

  private rejectAll(error: Error): void {
    for (const waiting of this.pending.values()) waiting.reject(this.gone(error));
    this.pending.clear();
  }

  private gone(error: Error): Error {
    return new Error(`The ${this.options.name} has ended: ${error.message}`, { cause: error });
  }
}
