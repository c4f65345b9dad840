import type { BounceRule } from '../../domain/bounces/bounce-rule';
import { JobThread } from '../../lib/job-thread';
import type { ReadReport, ReportJob, ReportWorkerData } from './report-protocol';
import { ReaderBusyError, ReportUnreadError, type ReportReader } from './report-reader';

/** The longest that a report may take, ms of real time: even the worst takes no tenth of it. */
const BUDGET_MS = 10_000;
/** The most bytes of reports that wait at once, that being read included. */
const MOST_BYTES = 8 * 1024 * 1024;
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
 * thread, and those behind it are read in another.
 */
export class WorkerReportReader implements ReportReader {
  private readonly thread: JobThread<ReportJob, ReadReport>;
  private readonly mostBytes: number;
  private waiting = 0;

  constructor({ program, rules, onGone, budgetMs = BUDGET_MS, mostBytes = MOST_BYTES, idleMs }: WorkerReaderOptions) {
    this.mostBytes = mostBytes;
    const data: ReportWorkerData = { rules };
    this.thread = new JobThread({ name: 'report worker', program, limits: LIMITS, onGone, data, budgetMs, idleMs });
  }

  async read(job: ReportJob): Promise<ReadReport> {
    const { length } = job.bytes;
    if (this.waiting > 0 && this.waiting + length > this.mostBytes)
      throw new ReaderBusyError('Too many reports at once');
    this.waiting += length;
    try {
      // Copied, not transferred, so that it can be read again when the thread ends because of another.
      return await this.thread.run(job);
    } catch (error) {
      throw new ReportUnreadError(error instanceof Error ? error.message : String(error), { cause: error });
    } finally {
      this.waiting -= length;
    }
  }

  /** Ends the thread; reports that it still had reject. */
  async close(): Promise<void> {
    await this.thread.close();
  }
}
