import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Service } from './service';

/** Measures the longest piece of work on the main thread of a program of its own, in processor time. Needs Linux. */
export class Pieces {
  private answers = 0;

  /** `file`: where the program writes it. */
  constructor(private readonly file: string) {}

  static readonly isPossible = existsSync('/proc/self/schedstat');

  /** What the program is started with. */
  get env(): Record<string, string> {
    return { NODE_OPTIONS: `--require ${join(__dirname, 'pieces-probe.cjs')}`, PIECES_FILE: this.file };
  }

  /** The longest piece since the last call, ms. */
  async longest({ pid }: Pick<Service, 'pid'>): Promise<number> {
    this.answers += 1;
    process.kill(pid, 'SIGWINCH');
    for (;;) {
      const { answers, longest } = this.read();
      if (answers === this.answers) return longest;
      await sleep(5);
    }
  }

  private read(): { answers: number; longest: number } {
    if (!existsSync(this.file)) return { answers: 0, longest: 0 };
    return JSON.parse(readFileSync(this.file, 'utf8')) as { answers: number; longest: number };
  }
}
