import type { BounceRule } from '../../domain/bounces/bounce-rule';
import { JobThread } from '../../lib/job-thread';
import type { ReadReport, ReportJob, ReportWorkerData } from './report-protocol';
import { ReaderBusyError, ReportUnreadError, type ReportReader } from './report-reader';

/** The longest that a report may take, ms of real time: even the worst takes no tenth of it. */
const BUDGET_MS = 10_000;
/** The most bytes of reports that wait at once, that being read included. */
const MAX_BYTES = 8 * 1024 * 1024;
/** How long an aggregate report waits for delivery reports, ms. */
const LONGEST_WAIT = 20_000;
const LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 };

export interface WorkerReaderOptions {
  /** The compiled report-worker. */
  program: string;
  /** An operator's rules. */
  rules: readonly BounceRule[];
  onGone: (error: Error) => void;
  budgetMs?: number;
  mostBytes?: number;
  idleMs?: number;
}

/**
 * Reads reports in a thread, since strangers write them (docs/bounces.md#limits): one that takes too long ends the
 * thread, and those behind it are read in another. Aggregate reports have a thread of their own, and begin when no
 * delivery report waits.
 */
export class WorkerReportReader implements ReportReader {
  private readonly thread: JobThread<ReportJob, ReadReport>;
  private readonly aggregates: JobThread<ReportJob, ReadReport>;
  private readonly mostBytes: number;
  private waiting = 0;
  /** Calls whoever waits until no delivery report does. */
  private readonly whenIdle = new Set<() => void>();

  constructor({ program, rules, onGone, budgetMs = BUDGET_MS, mostBytes = MAX_BYTES, idleMs }: WorkerReaderOptions) {
    this.mostBytes = mostBytes;
    const data: ReportWorkerData = { rules };
    const thread = { program, limits: LIMITS, onGone, data, budgetMs, idleMs };
    this.thread = new JobThread({ name: 'report worker', ...thread });
    this.aggregates = new JobThread({ name: 'aggregate report worker', ...thread });
  }

  async read(job: ReportJob): Promise<ReadReport> {
    if (job.isAggregate) {
      await this.untilIdle();
      return this.run(this.aggregates, job);
    }
    const { length } = job.bytes;
    if (this.waiting > 0 && this.waiting + length > this.mostBytes)
      throw new ReaderBusyError('Too many reports at once');
    this.waiting += length;
    try {
      return await this.run(this.thread, job);
    } finally {
      this.waiting -= length;
      if (this.waiting === 0) for (const wake of this.whenIdle) wake();
    }
  }

  /** Copied, not transferred, so that it can be read again when the thread ends because of another. */
  private async run(thread: JobThread<ReportJob, ReadReport>, job: ReportJob): Promise<ReadReport> {
    try {
      return await thread.run(job);
    } catch (error) {
      throw new ReportUnreadError(error instanceof Error ? error.message : String(error), { cause: error });
    }
  }

  /** Aggregate reports come after delivery reports, but in time for whoever sends them. */
  private async untilIdle(): Promise<void> {
    if (this.waiting === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => wake(), LONGEST_WAIT);
      const wake = (): void => {
        clearTimeout(timer);
        this.whenIdle.delete(wake);
        resolve();
      };
      this.whenIdle.add(wake);
    });
  }

  /** Ends the threads; reports that they still had reject. */
  async close(): Promise<void> {
    for (const wake of this.whenIdle) wake();
    await Promise.all([this.thread.close(), this.aggregates.close()]);
  }
}
