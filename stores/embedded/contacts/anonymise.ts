import { WorkerLoop } from '../../../lib/worker-loop';
import type { Commits } from '../database/commits';
import type { Database } from '../database/database';
import { finishAnonymising } from './delete-contact';

/** Real time between two looks, ms. */
const LOOK_EVERY = 2_000;

/** Finishes deletions of contacts that a crash or a full disk cut short; its look costs next to nothing. */
export class Anonymiser {
  private readonly loop: WorkerLoop;

  constructor(db: Database, commits: Commits) {
    this.loop = new WorkerLoop({
      turn: async () => {
        await finishAnonymising(db, commits);
        return LOOK_EVERY;
      },
      // A store that takes nothing just now: the next look tries again.
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
