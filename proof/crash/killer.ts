import { sleep } from '../../lib/sleep';
import type { Stage } from './stage';

/** Kills the service at random moments and restarts it, from `start` until `stop`. */
export class Killer {
  private readonly stopping = new AbortController();
  private work: Promise<void> | null = null;

  /** `every`: ms between two kills, on average; `most`: the maximum number of kills. */
  constructor(
    private readonly stage: Stage,
    private readonly random: () => number,
    private readonly every: number,
    private readonly most = Infinity,
  ) {}

  start(): void {
    this.work = this.loop();
  }

  /** Resolves when the service is running and no further kill comes. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.work;
  }

  private async loop(): Promise<void> {
    const { signal } = this.stopping;
    while (this.stage.kills < this.most) {
      await sleep(this.every * (0.25 + 1.5 * this.random()), signal);
      if (signal.aborted) return;
      await this.stage.kill();
      // Sometimes kill it during startup, too.
      if (this.random() < 0.15) {
        void this.stage.start();
        await sleep(600 * this.random(), signal);
        await this.stage.kill();
      }
      if (!(await this.stage.start())) throw new Error(`The service did not restart; see ${this.stage.folder}.`);
    }
  }
}
