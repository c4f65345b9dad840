import type { ComposeJob, Composer, SignedMail, Unfilled } from './composer';
import type { WorkerComposer } from './worker-composer';

/** Jobs in one worker from which the next is used. With fewer, each has shorter batches and is woken more often. */
const BUSY = 8;

/**
 * Composes in up to `most` workers. The first starts at once, another when all before it are busy, so that they take
 * memory only under load. One that ended is passed over while another runs.
 */
export class SpreadComposer implements Composer {
  private readonly workers: WorkerComposer[] = [];

  /** `start` starts a worker; throws when the first cannot start. */
  constructor(
    private readonly start: () => WorkerComposer,
    private readonly most: number,
  ) {
    this.workers.push(start());
  }

  compose(job: ComposeJob, owner: number): Promise<SignedMail | Unfilled> {
    return this.next().compose(job, owner);
  }

  async close(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.close()));
  }

  private next(): WorkerComposer {
    const running = this.workers.filter(({ ended }) => !ended);
    const free = running.find(({ jobs }) => jobs < BUSY);
    if (free) return free;
    if (this.workers.length < this.most) {
      const started = this.start();
      this.workers.push(started);
      return started;
    }
    const [first = this.workers[0]!, ...others] = running;
    return others.reduce((least, worker) => (worker.jobs < least.jobs ? worker : least), first);
  }
}
