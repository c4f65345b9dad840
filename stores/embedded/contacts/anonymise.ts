import type { Commits } from '../database/commits';
import type { Database } from '../database/database';
import { finishAnonymising } from './delete-contact';

/** Real time between two looks, ms. */
const LOOK_EVERY = 2_000;

/** Finishes deletions of contacts that a crash or a full disk cut short; its look costs next to nothing. */
export class Anonymiser {
  private timer: NodeJS.Timeout | null = null;
  private work: Promise<void> | null = null;

  constructor(
    private readonly db: Database,
    private readonly commits: Commits,
  ) {}

  start(): void {
    this.look();
    this.timer = setInterval(() => this.look(), LOOK_EVERY);
    this.timer.unref();
  }

  async stop(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    await this.work;
  }

  private look(): void {
    this.work ??= finishAnonymising(this.db, this.commits)
      // A store that takes nothing just now: the next look tries again.
      .catch(() => undefined)
      .finally(() => (this.work = null));
  }
}
