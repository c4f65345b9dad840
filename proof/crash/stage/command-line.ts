import { join } from 'node:path';
import { sleep } from '../../../lib/sleep';
import { Child } from './child';

/** `kurir` of a build, beside its service. */
export class CommandLine {
  constructor(
    /** The folder of the built programs. */
    private readonly dist: string,
    /** The variables of the data. */
    private readonly env: Readonly<Record<string, string>>,
  ) {}

  /** Starts a command with --json. */
  start(...words: readonly string[]): Child {
    return new Child(join(this.dist, 'kurir.js'), [...words, '--json'], { env: this.env });
  }

  /** Runs a command with --json and returns its answer. Throws when it is refused. */
  async run(...words: readonly string[]): Promise<Record<string, unknown>> {
    const child = this.start(...words);
    const { code } = await child.ended;
    if (code !== 0) throw new Error(`kurir ${words.join(' ')} failed: ${child.printed}`);
    return JSON.parse(child.stdout) as Record<string, unknown>;
  }

  /** Starts a command and sends it SIGKILL after `ms`, unless it has ended before. */
  async killed(ms: number, ...words: readonly string[]): Promise<void> {
    const child = this.start(...words);
    await Promise.race([child.ended, sleep(ms)]);
    await child.kill();
  }
}
