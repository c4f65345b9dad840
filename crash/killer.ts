import { sleep } from '../lib/sleep';
import type { Stage } from './stage';

/** Kills the service at random moments and starts it again, for as long as it is told. */
export class Killer {
  private readonly stopping = new AbortController();
  private work: Promise<void> | null = null;

  /** `every`: ms from one kill to the next, on average; `most`: no more kills than that. */
  constructor(
    private readonly stage: Stage,
    private readonly random: () => number,
    private readonly every: number,
    private readonly most = Infinity,
  ) {}

  start(): void {
    this.work = this.loop();
  }

  /** The service runs when this resolves. */
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
      // Now and then it dies in its start, too.
      if (this.random() < 0.15) {
        void this.stage.start();
        await sleep(600 * this.random(), signal);
        await this.stage.kill();
      }
      if (!(await this.stage.start())) throw new Error(`The service did not start again; see ${this.stage.folder}.`);
    }
  }
}
