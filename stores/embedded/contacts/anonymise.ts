import { WorkerLoop } from '../../../lib/worker-loop';
import type { Commits } from '../database/commits';
import type { Database } from '../database/database';
import { finishAnonymising } from './delete-contact';

/** Real time between two checks, ms. */
const LOOK_EVERY = 2_000;

/** Finishes contact deletions that a crash or a full disk interrupted. The check itself costs almost nothing. */
export class Anonymiser {
  private readonly loop: WorkerLoop;

  constructor(db: Database, commits: Commits) {
    this.loop = new WorkerLoop({
      iterate: async () => {
        await finishAnonymising(db, commits);
        return LOOK_EVERY;
      },
      // The store is unavailable: the next check tries again.
      onError: () => undefined,
      backoff: { first: LOOK_EVERY, longest: LOOK_EVERY },
      ref: false,
    });
  }

  start(): void {
    this.loop.start();
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }
}
